#!/usr/bin/env bash
# Makes the data that Othello's network learns from: games, exact endings, deep judgements, a teacher and its answers.
#
#   training/othello_data.sh FOLDER [THREADS] [SCALE]
#
# SCALE 1 is what version 6 was begun with: about eight minutes of 16 cores and six of a graphics card. Everything but
# the teacher resumes: run it again after a stop. Needs `trilith` (or TRILITH=path) and python3 with PyTorch.
set -euo pipefail
folder=${1:?a folder for the data}; threads=${2:-$(nproc)}; scale=${3:-1}
here=$(cd "$(dirname "$0")/.." && pwd)
trilith=${TRILITH:-trilith}
weights=$here/artifacts/othello/patterns.safetensors.zst
mkdir -p "$folder"; cd "$folder"
seconds() { awk "BEGIN { print int($1 * $scale) }"; }
generate() { "$trilith" data generate --weights "$weights" --threads "$threads" "$@"; }
judge() { "$trilith" data judge --weights "$weights" --threads "$threads" "$@"; }

# Games of good play after up to 24 random plies, and wild ones: what a search looks at is often lopsided.
generate --depth 5 --exact 16 --random-least 2 --random-most 24 --seed 701 --seconds "$(seconds 60)" --out g1.games
generate --depth 3 --exact 12 --random-least 20 --random-most 46 --seed 702 --seconds "$(seconds 20)" --out g2.games
# Exact endings. The depth for positions further from the end does not matter: those rows are not used.
judge --games g1.games --depth 1 --exact 17 --share 1 --seed 711 --seconds "$(seconds 110)" --out e1.positions
judge --games g2.games --depth 1 --exact 17 --share 1 --seed 712 --seconds "$(seconds 70)" --out e2.positions
judge --games g2.games --depth 1 --exact 14 --share 1 --seed 714 --seconds "$(seconds 45)" --out e3.positions
# Deep judgements of the rest.
judge --games g1.games --depth 9 --exact 18 --share 0.35 --seed 713 --seconds "$(seconds 440)" --out j1.positions
for name in e1 e2 e3 j1; do "$trilith" data rows --positions $name.positions --out $name.bin; done
"$trilith" data rows --games g1.games --out results.bin
# A large network learns all of it, and answers for positions beside the games.
python3 "$here/training/rows.py" --out teach.bin e1.bin@0-17 e2.bin@0-17 e3.bin@0-14 j1.bin@18-60 results.bin@18-60
[ -e teacher.pt ] || python3 "$here/examples/pytorch_teacher.py" train --rows teach.bin --net teacher.pt --seconds "$(seconds 200)"
"$trilith" data ask --games g1.games --share 1 --seed 721 --seconds "$(seconds 150)" --out q1.positions -- \
  python3 "$here/examples/pytorch_teacher.py" label --net teacher.pt
"$trilith" data rows --positions q1.positions --out q1.bin
# The network itself:
echo "python3 $here/training/othello_nnue.py train --out run --seconds 330 \\
  --rows e1.bin@1@0-17 e2.bin@1@0-17 e3.bin@1@0-14 j1.bin@2@18-60 q1.bin@1@17-60"
