#!/usr/bin/env bash
# Makes Othello's network on patterns from nothing but the program and its older pattern weights: games, exact endings,
# deep judgements, a teacher, its answers, and the network that learns from all of it.
#
#   training/othello_data.sh FOLDER [THREADS] [SCALE]
#
# SCALE 1 takes about 26 minutes of 16 cores and one graphics card: searches and networks work at the same time. Run it
# again after a stop: finished parts stay as they are, the others go on where they were. How many positions there are and
# how long networks learn depends on the machine, since each part is given so many seconds.
# Needs `trilith` (or TRILITH=path), python3 with PyTorch and safetensors, and zstd, or the pattern weights unpacked as
# FOLDER/linear.safetensors. A try of everything on a small machine:
#
#   TEACHER="--channels 8 --blocks 1 --batch 256" NETWORK="--batch 6000" training/othello_data.sh try 2 0.02
set -euo pipefail
folder=${1:?a folder for the data}; threads=${2:-$(nproc)}; scale=${3:-1}
training=$(cd "$(dirname "$0")" && pwd)
weights=${WEIGHTS:-$training/../artifacts/othello/patterns.safetensors.zst}
trilith=$(command -v "${TRILITH:-trilith}")
read -ra teacher <<<"${TEACHER:-}"; read -ra network <<<"${NETWORK:-}"
mkdir -p "$folder"; cd "$folder"
seconds() { awk "BEGIN { print int($1 * $scale) + 1 }"; }
generate() { "$trilith" data generate --weights "$weights" --threads "$threads" --seconds "$(seconds "$1")" "${@:2}" 2>/dev/null; }
judge() { "$trilith" data judge --weights "$weights" --threads "$threads" --seconds "$(seconds "$1")" "${@:2}" 2>/dev/null; }
# Exact endings. The depth for positions further from the end does not matter: those rows are not used.
exact() { judge "$@" --depth 1 --exact 16 --share 1; }
rows() { "$trilith" data rows "${@:2}" --out "$1.part" && mv "$1.part" "$1"; }
# One part of the work: done once its mark is there.
part() { [ -e "$1.done" ] || { echo "$(date +%T) $1"; "${@:2}" && touch "$1.done"; }; }
after() { until [ -e "$1.done" ]; do [ -e failed ] && exit 1; sleep 1; done; }
teach() { python3 "$training/othello_teacher.py" train --net "$1" --seconds "$(seconds "$2")" --resume "${@:3}" "${teacher[@]}"; }

searches() {
  part g1 generate 40 --depth 6 --exact 16 --random-least 2 --random-most 22 --seed 801 --out g1.games
  # Wild games, since what a search looks at is often lopsided.
  part g2 generate 12 --depth 3 --exact 12 --random-least 20 --random-most 46 --seed 802 --out g2.games
  part results.bin rows results.bin --games g1.games g2.games
  part e1 exact 110 --games g1.games --seed 811 --out e1.positions
  part e1.bin rows e1.bin --positions e1.positions
  part e2 exact 110 --games g2.games --seed 812 --out e2.positions
  part g3 generate 60 --depth 8 --exact 18 --random-least 1 --random-most 14 --seed 803 --out g3.games
  part e3 exact 60 --games g3.games --seed 813 --out e3.positions
  part e2.bin rows e2.bin --positions e2.positions e3.positions
  part j1 judge 280 --games g3.games g1.games --depth 10 --exact 18 --share 0.25 --seed 821 --out j1.positions
  part j1.bin rows j1.bin --positions j1.positions
  part e4 exact 330 --games g1.games --seed 814 --out e4.positions
  part e4.bin rows e4.bin --positions e4.positions
}

networks() {
  local endings=(e1.bin@2@0-16) others=results.bin@1@17-60
  after e1.bin
  part t1.pt teach t1.pt 220 --rows "${endings[@]}" $others --seed 1
  after e2.bin
  endings+=(e2.bin@2@0-16)
  part t2.pt teach t2.pt 260 --rows "${endings[@]}" $others --start t1.pt --rate 0.0015 --seed 2
  after j1.bin
  part t3.pt teach t3.pt 200 --rows "${endings[@]}" j1.bin@4@0-60 $others --start t2.pt --rate 0.001 --seed 3
  part answers.bin python3 "$training/othello_teacher.py" answer --net t3.pt --rows results.bin \
    --count 200000000 --seconds "$(seconds 190)" --out answers.bin --seed 831
  after e4.bin
  [ -e linear.safetensors ] || zstd -dq "$weights" -o linear.safetensors
  part run python3 "$training/othello_nnue.py" train --out run --seconds "$(seconds 440)" --linear linear.safetensors --resume \
    --rows answers.bin@1@4-60 e1.bin@3@4-16 e2.bin@3@4-16 e4.bin@3@4-16 j1.bin@3@4-60 --near 20 --decay 0.05 "${network[@]}"
  part seal "$trilith" artifacts seal run/nnue.safetensors --game othello --kind nnue --out nnue.safetensors.zst
}

rm -f failed
(searches || { touch failed; exit 1; }) & (networks || { touch failed; exit 1; }) &
wait
[ ! -e failed ]
