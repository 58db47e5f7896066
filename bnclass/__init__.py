"""Bayesian-network classifiers you can see.

Every model is an explicit `networkx` graph with tables and Gaussians, learned by structure
learners from counts and moments. Estimators follow scikit-learn; measures are in nats.
"""

from bnclass.classifiers.averaged import AODE, ATAN
from bnclass.classifiers.drawn import StructureClassifier
from bnclass.classifiers.kst import KST
from bnclass.classifiers.numeric import GAODE, HAODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import dataset_names, load_dataset
from bnclass.data.discretize import MDLDiscretizer
from bnclass.data.encoder import TableEncoder
from bnclass.data.memory import set_max_memory
from bnclass.data.readers import read_table
from bnclass.data.rules import make_waveform
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema, Variable
from bnclass.evaluate.baselines import encoded, needs_encoding
from bnclass.evaluate.bias_variance import BiasVariance, bias_variance
from bnclass.evaluate.experiment.results import ExperimentResults, read_results
from bnclass.evaluate.experiment.runner import compare
from bnclass.evaluate.figures.against import LossesDisplay, plot_losses
from bnclass.evaluate.figures.critical_difference import (
    CriticalDifferenceDisplay,
    plot_critical_difference,
)
from bnclass.evaluate.figures.goal_curves import GoalDifferenceDisplay, plot_goal_difference
from bnclass.evaluate.figures.loss_parts import BiasVarianceDisplay, plot_bias_variance
from bnclass.evaluate.figures.rank_bars import RankDisplay, plot_ranks
from bnclass.evaluate.markup import to_latex, to_markdown
from bnclass.evaluate.metrics import (
    LogLoss,
    PredictionMetrics,
    brier_score,
    log_loss,
    prediction_metrics,
    root_mean_squared_error,
    zero_one_loss,
)
from bnclass.evaluate.neighbors import NearestNeighborClassifier
from bnclass.evaluate.paired import (
    FiveByTwoResult,
    WilcoxonResult,
    five_by_two_test,
    wilcoxon_test,
)
from bnclass.evaluate.published import PublishedTable, published_names, published_table
from bnclass.evaluate.ranks import (
    FriedmanResult,
    NemenyiResult,
    average_ranks,
    critical_difference,
    friedman_test,
    nemenyi_quantile,
    nemenyi_test,
)
from bnclass.evaluate.records import (
    WinDrawLoss,
    goal_difference_curve,
    sign_test,
    win_draw_loss,
)
from bnclass.evaluate.report.writing import write_report
from bnclass.evaluate.reproduction.beside import BesidePublished, beside_published
from bnclass.evaluate.reproduction.finding import FoundDatasets, find_datasets
from bnclass.evaluate.reproduction.run import Reproduction, reproduce
from bnclass.evaluate.vectors import VectorEncoder
from bnclass.exceptions import (
    BnclassError,
    BnclassWarning,
    DataError,
    DataTypeError,
    FactorError,
    FileFormatError,
    MemoryLimitError,
    MissingCellsWarning,
    StructureError,
    UnknownValuesWarning,
)
from bnclass.factors.base import Factor
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.io.bif import read_bif, write_bif
from bnclass.io.graphml import read_graphml, write_graphml
from bnclass.io.json import load, save
from bnclass.io.pgmpy import to_pgmpy
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.local import LocalMember
from bnclass.network.local_gaussian import LocalGaussianMember
from bnclass.network.membership import SuperparentSeen
from bnclass.network.rowwise import RowwiseEnsemble
from bnclass.network.subsumption import Subsumption
from bnclass.plot.comparison import ComparisonDisplay, plot_comparison
from bnclass.plot.ensemble import EnsembleDisplay, plot_ensemble
from bnclass.plot.factors import FactorDisplay, plot_factor
from bnclass.plot.network import NetworkDisplay, plot_network
from bnclass.scores.criteria import maximum_correlation, minimum_dependence
from bnclass.scores.dependence import Dependences
from bnclass.scores.information import (
    Information,
    cmi_matrix,
    conditional_mutual_information,
    mutual_information,
)
from bnclass.statistics.smoothing import BDeu, Laplace, MEstimate
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import StructureLearner
from bnclass.structure.constraints import Constraints
from bnclass.structure.dag import Structure
from bnclass.structure.kdb import KDBLearner
from bnclass.structure.kst import KSTLearner
from bnclass.structure.one_dependence import NaiveBayesLearner, SPODELearner
from bnclass.structure.tan import TANLearner

__version__ = "0.1.0"

__all__ = [
    "AODE",
    "ATAN",
    "BDeu",
    "BayesianNetwork",
    "BesidePublished",
    "BiasVariance",
    "BiasVarianceDisplay",
    "BnclassError",
    "BnclassWarning",
    "CLGCPD",
    "CategoricalCPD",
    "ComparisonDisplay",
    "Constraints",
    "CriticalDifferenceDisplay",
    "DataError",
    "DataTypeError",
    "Dependences",
    "EncodedTable",
    "EnsembleDisplay",
    "ExperimentResults",
    "Factor",
    "FactorDisplay",
    "FactorError",
    "FileFormatError",
    "FiveByTwoResult",
    "FoundDatasets",
    "FriedmanResult",
    "GAODE",
    "GaussianCPD",
    "GoalDifferenceDisplay",
    "HAODE",
    "Information",
    "KDB",
    "KDBLearner",
    "KST",
    "KSTLearner",
    "Laplace",
    "LocalGaussianMember",
    "LocalMember",
    "LogLoss",
    "LossesDisplay",
    "MDLDiscretizer",
    "MEstimate",
    "MemoryLimitError",
    "MissingCellsWarning",
    "NaiveBayes",
    "NaiveBayesLearner",
    "NearestNeighborClassifier",
    "NemenyiResult",
    "NetworkDisplay",
    "NetworkEnsemble",
    "PredictionMetrics",
    "PublishedTable",
    "RankDisplay",
    "Reproduction",
    "RowwiseEnsemble",
    "SPODE",
    "SPODELearner",
    "Schema",
    "SparseCategoricalCPD",
    "Structure",
    "StructureClassifier",
    "StructureError",
    "StructureLearner",
    "Subsumption",
    "SufficientStatistics",
    "SuperparentSeen",
    "TAN",
    "TANLearner",
    "TableEncoder",
    "UnknownValuesWarning",
    "Variable",
    "VectorEncoder",
    "WilcoxonResult",
    "WinDrawLoss",
    "average_ranks",
    "beside_published",
    "bias_variance",
    "brier_score",
    "cmi_matrix",
    "compare",
    "conditional_mutual_information",
    "critical_difference",
    "dataset_names",
    "encoded",
    "find_datasets",
    "five_by_two_test",
    "friedman_test",
    "goal_difference_curve",
    "load",
    "load_dataset",
    "log_loss",
    "make_waveform",
    "maximum_correlation",
    "minimum_dependence",
    "mutual_information",
    "needs_encoding",
    "nemenyi_quantile",
    "nemenyi_test",
    "plot_bias_variance",
    "plot_comparison",
    "plot_critical_difference",
    "plot_ensemble",
    "plot_factor",
    "plot_goal_difference",
    "plot_losses",
    "plot_network",
    "plot_ranks",
    "prediction_metrics",
    "published_names",
    "published_table",
    "read_bif",
    "read_graphml",
    "read_results",
    "read_table",
    "reproduce",
    "root_mean_squared_error",
    "save",
    "set_max_memory",
    "sign_test",
    "to_latex",
    "to_markdown",
    "to_pgmpy",
    "wilcoxon_test",
    "win_draw_loss",
    "write_bif",
    "write_graphml",
    "write_report",
    "zero_one_loss",
]
