#!/usr/bin/env bash
# Newsletters for real: to aiosmtpd from PyPI on loopback, which refuses, hangs and breaks off as it is told;
# 2,000 addresses, a server that is killed in the middle, and a start with a clock that is ahead.
#
#   bash tests/newsletter.sh BINARY      needs python3 with venv, and faketime
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/newsletter.sh BINARY}")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
environment=${CARGO_TARGET_DIR:-$here/../target}/newsletter-venv
if ! "$environment/bin/python" -c 'import aiosmtpd' 2>/dev/null; then
  python3 -m venv "$environment" || { echo 'tests/newsletter.sh: python3-venv is missing, skipped'; exit 0; }
  "$environment/bin/pip" install --quiet --disable-pip-version-check aiosmtpd==1.4.6
fi
# In memory where there is room: it is not the disk that is tried here.
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
"$environment/bin/python" "$here/newsletter.py" "$binary" "$work"
