"""Records the digests of all plans: python tests/digest/record.py [FILE]."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from digest.plans import RECORD, digest, scenarios

if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else RECORD
    digests = {name: digest(scenario) for name, scenario in scenarios()}
    file.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    print(f"{file.name}: digests of {len(digests)} plans")
