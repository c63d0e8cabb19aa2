#!/bin/bash
# A sweep by GNU parallel: sixteen shards, as many at once as this machine has cores, or as the machines of a file
# have (--sshloginfile hosts --workdir .). A shard that failed runs again, and goes on where its file ends; the
# same command does so after an interruption. The last line merges them.
set -euo pipefail

parallel --retries 3 --joblog shards.log --resume-failed --halt soon,fail=1 \
  npx trimtab sweep bot.yaml \
  --param first.fast=5..50:5 --param first.slow=60..240:20 \
  --shard {}/16 --threads 1 --out part-{}.sqlite ::: {1..16}

npx trimtab sweep --merge part-*.sqlite
