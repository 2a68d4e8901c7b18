"""Each figure in the lessons as a measure that every run can answer, also one elsewhere."""

from lesson_claims.aimd import AIMD
from lesson_claims.bbr import BBR
from lesson_claims.beside import BESIDE
from lesson_claims.bufferbloat import BUFFERBLOAT
from lesson_claims.cases import CASES, NOT_ON_LINUX
from lesson_claims.claim import Claim
from lesson_claims.cos import COS
from lesson_claims.cubic import CUBIC
from lesson_claims.slow_start import SLOW_START
from lesson_claims.unequal import UNEQUAL

__all__ = ["CASES", "CLAIMS", "NOT_ON_LINUX", "Claim"]

CLAIMS = [*SLOW_START, *AIMD, *CUBIC, *BUFFERBLOAT, *BBR, *BESIDE, *UNEQUAL, *COS]
