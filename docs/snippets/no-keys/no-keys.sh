#!/bin/sh
# Refuses whatever holds an AWS access key id. The ask is one line of JSON on standard input.
grep -Eq 'AKIA[0-9A-Z]{16}'
case $? in
  1) exit 0 ;;
  0) echo "it holds an AWS access key id" >&2 ;;
  *) echo "the rule could not be checked" >&2 ;;
esac
exit 1
