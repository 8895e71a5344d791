"""The validator's process."""

from interpose_validator.service import hook

if __name__ == "__main__":
    hook.run()
