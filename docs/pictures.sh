#!/usr/bin/env bash
# Makes every picture of README and guides anew, from the running app in headless Chromium.
# docs/pictures.sh [NAME...] makes only some: start othello morris abalone phone arena analyse why learn.
# docs/pictures.sh every: each page at 320, 390, 1366 and 1920 pixels in both themes, to be looked at.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in chromium chromedriver python3 zstd; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install chromium chromium-driver python3 zstd" >&2; exit 1; }
done
program=${TRILITH:-target/release/trilith}
[ -n "${TRILITH:-}" ] || cargo build --release --locked
python3 docs/pictures.py "$program" "$@"
TRILITH="$program" python3 docs/charts.py
book=$(mktemp -d)
zstd -dq artifacts/othello/openings.book.zst -o "$book/openings.book"
"$program" book picture "$book/openings.book" docs/pictures/book.svg --plies 3 --games 0
rm -r "$book"
