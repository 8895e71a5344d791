#!/bin/sh
# The smallest hook of the original interface: it reads the call and says yes.
read -r _call
exit 0
