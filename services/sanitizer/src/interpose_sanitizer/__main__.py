"""The sanitizer's process."""

from interpose_sanitizer.service import hook

if __name__ == "__main__":
    hook.run()
