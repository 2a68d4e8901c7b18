from .dossier import Dossier as Dossier
from .evaluating import evaluate as evaluate
from .rows import ROWS as ROWS
