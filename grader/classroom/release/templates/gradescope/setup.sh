#!/usr/bin/env bash
# Runs once, as root, when Gradescope builds the autograder's image.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"

apt-get update -qq
apt-get install -y -qq --no-install-recommends python3 python3-venv bubblewrap
python3 -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --quiet "$root"/source/wheels/*.whl
chmod -R go-rwx "$root/source"   # hidden tests are for root's eyes only
