"""The script runner's process: whatever scripts are in force, it answers with them."""

import os

from interpose.hook.worker import serve
from interpose_script_runner.in_force import InForce
from interpose_script_runner.runner import ScriptRunner
from interpose_script_runner.service import ScriptService

if __name__ == "__main__":
    serve(ScriptService(InForce(), ScriptRunner(os.environ)).endpoint())
