"""The canonicalizer's process."""

from interpose_canonicalizer.service import hook

if __name__ == "__main__":
    hook.run()
