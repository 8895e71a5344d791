"""The sanitizer's process. Its rules are compiled before it says that it is ready, so that no ask waits for them."""

from interpose_sanitizer.service import hook, prepare

if __name__ == "__main__":
    prepare()
    hook.run()
