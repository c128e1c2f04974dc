#!/usr/bin/env bash
# Makes every picture of README and guides anew, from the running app in headless Chromium.
# docs/pictures.sh [NAME...] makes only some: start othello morris abalone phone arena analyse why learn.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in chromium chromedriver python3; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install chromium chromium-driver python3" >&2; exit 1; }
done
program=${TRILITH:-target/release/trilith}
[ -n "${TRILITH:-}" ] || cargo build --release --locked
python3 docs/pictures.py "$program" "$@"
python3 docs/strength_chart.py
