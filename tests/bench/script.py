"""The same in Python: it parses the call, as any rule would, and says yes."""

import json
import sys

json.load(sys.stdin)
