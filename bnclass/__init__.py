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
    "BnclassError",
    "BnclassWarning",
    "CLGCPD",
    "CategoricalCPD",
    "ComparisonDisplay",
    "Constraints",
    "DataError",
    "DataTypeError",
    "Dependences",
    "EncodedTable",
    "EnsembleDisplay",
    "Factor",
    "FactorDisplay",
    "FactorError",
    "FileFormatError",
    "GAODE",
    "GaussianCPD",
    "HAODE",
    "Information",
    "KDB",
    "KDBLearner",
    "KST",
    "KSTLearner",
    "Laplace",
    "LocalGaussianMember",
    "LocalMember",
    "MDLDiscretizer",
    "MEstimate",
    "MemoryLimitError",
    "MissingCellsWarning",
    "NaiveBayes",
    "NaiveBayesLearner",
    "NetworkDisplay",
    "NetworkEnsemble",
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
    "cmi_matrix",
    "conditional_mutual_information",
    "dataset_names",
    "load",
    "load_dataset",
    "make_waveform",
    "maximum_correlation",
    "minimum_dependence",
    "mutual_information",
    "plot_comparison",
    "plot_ensemble",
    "plot_factor",
    "plot_network",
    "read_bif",
    "read_graphml",
    "read_table",
    "save",
    "set_max_memory",
    "to_pgmpy",
    "write_bif",
    "write_graphml",
]
