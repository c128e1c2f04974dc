#!/usr/bin/env bash
# Makes Othello's network on patterns from nothing but the program and its older pattern weights, in two rounds: games,
# exact endings, a teacher, its answers, and a network that learns from all of it; then again with games and judgements
# of that network.
#
#   training/othello_data.sh FOLDER [THREADS] [SCALE] [ROUNDS] [WORK]
#
# SCALE 1 takes about 13 minutes of 16 cores and one graphics card a round: searches and networks work at the same time.
# Run it again after a stop: finished parts stay as they are, the others go on where they were. How many positions there
# are and how long networks learn depends on the machine, since each part is given so many seconds.
# A part that was made elsewhere (games of another machine, say) is put into FOLDER with its mark: `touch a1.done`.
# Needs `trilith` (or TRILITH=path) and python3 with PyTorch and safetensors. ROUNDS may be `one`, `two`, `three`, `four`,
# `six`, `seven`, `ends` or `level` alone, WORK `searches` or `networks`. A try of everything on a small machine:
#
#   TEACHER="--channels 8 --blocks 1 --batch 256" NETWORK="--batch 6000" training/othello_data.sh try 2 0.02
set -euo pipefail
folder=${1:?a folder for the data}; threads=${2:-$(nproc)}; scale=${3:-1}; rounds=${4:-one two}; works=${5:-searches networks}
training=$(cd "$(dirname "$0")" && pwd)
first=$(realpath "${FIRST:-$training/../artifacts/othello/nnue.safetensors.zst}")
patterns=$(realpath "${WEIGHTS:-$training/../artifacts/othello/patterns.safetensors.zst}")
nets=(); for part in ${MEAN:-}; do nets+=("${part%%:*}:$(realpath "${part#*:}")"); done
trilith=$(command -v "${TRILITH:-trilith}")
read -ra teacher <<<"${TEACHER:-}"; read -ra network <<<"${NETWORK:-}"
mkdir -p "$folder"; cd "$folder"
seconds() { awk "BEGIN { print int($1 * $scale) + 1 }"; }
generate() { "$trilith" data generate --weights "$weights" --threads "$threads" --seconds "$(seconds "$1")" "${@:2}" 2>/dev/null; }
judge() { "$trilith" data judge --weights "$weights" --threads "$threads" --seconds "$(seconds "$1")" "${@:2}" 2>/dev/null; }
# Exact endings. The depth for positions further from the end does not matter: those rows are not used.
exact() { judge "$@" --depth 1; }
rows() { "$trilith" data rows "${@:2}" --out "$1.part" && mv "$1.part" "$1"; }
# One part of the work: done once its mark is there.
part() { [ -e "$1.done" ] || { echo "$(date +%T) $1"; "${@:2}" && touch "$1.done"; }; }
after() { for part in "$@"; do until [ -e "$part.done" ]; do [ -e failed ] && exit 1; sleep 1; done; done; }
teach() { python3 "$training/othello_teacher.py" train --net "$1" --seconds "$(seconds "$2")" --resume "${@:3}" "${teacher[@]}"; }
answer() { python3 "$training/othello_teacher.py" answer --net "$1" --out "$2" --seconds "$(seconds "$3")" --count 400000000 "${@:4}"; }
learn() { python3 "$training/othello_nnue.py" train --out "$1" --seconds "$(seconds "$2")" --resume "${@:3}" "${network[@]}"; }
seal() { "$trilith" artifacts seal "$1/nnue.safetensors" --game othello --kind nnue --out "$2"; }

# Round one: results of games and exact endings, by the pattern weights.
searches_one() {
  weights=$patterns
  part a1 generate 60 --depth 6 --exact 16 --random-least 2 --random-most 22 --seed 9001 --out a1.games
  part a1.bin rows a1.bin --games a1.games
  part e0 exact 35 --games a1.games --exact 13 --share 1 --seed 810 --out e0.positions
  part e0.bin rows e0.bin --positions e0.positions
  part g1 generate 80 --depth 6 --exact 16 --random-least 2 --random-most 36 --seed 801 --out g1.games
  # Wild games, since what a search looks at is often lopsided.
  part g2 generate 15 --depth 4 --exact 14 --random-least 20 --random-most 46 --seed 802 --out g2.games
  part g1.bin rows g1.bin --games g1.games g2.games
  part e1 exact 45 --games g1.games --exact 14 --share 1 --seed 811 --out e1.positions
  part e1.bin rows e1.bin --positions e1.positions
  part e2 exact 50 --games g2.games --exact 14 --share 1 --seed 812 --out e2.positions
  part e2.bin rows e2.bin --positions e2.positions
  part e3 exact 120 --games a1.games g1.games --exact 16 --share 0.5 --seed 813 --out e3.positions
  part e3.bin rows e3.bin --positions e3.positions
  part e4 exact 60 --games g1.games --exact 14 --share 0.5 --seed 814 --out e4.positions
  part e4.bin rows e4.bin --positions e4.positions
  part g3 generate 330 --depth 8 --exact 18 --random-least 2 --random-most 36 --seed 803 --out g3.games
}

networks_one() {
  after a1.bin e0.bin
  part t1.pt teach t1.pt 140 --rows e0.bin@2@0-13 a1.bin@1@14-60 --seed 1
  after g1.bin e1.bin
  part t2.pt teach t2.pt 270 --rows e0.bin@2@0-13 e1.bin@2@0-14 a1.bin@1@15-60 g1.bin@1@15-60 --start t1.pt --rate 0.0015 --seed 2
  part q1.bin answer t2.pt q1.bin 90 --rows a1.bin g1.bin --seed 831
  after e2.bin e3.bin e4.bin
  part linear "$trilith" artifacts seal "$patterns" --game othello --kind patterns --out linear.safetensors
  part run1 learn run1 220 --linear linear.safetensors --near 20 --decay 0.05 \
    --rows q1.bin@1@4-60 e0.bin@3@4-13 e1.bin@3@4-14 e2.bin@3@4-14 e3.bin@3@4-16 e4.bin@3@4-14
  part seal1 seal run1 first.safetensors
}

# Round two: the network of round one judges, and is taught about the positions that it likes too much (`--chosen`,
# `--pupil`). GAMES may name other games than those of round one.
games=(${GAMES:-a1.games g1.games g3.games})
searches_two() {
  weights=$PWD/first.safetensors
  part results.bin rows results.bin --games "${games[@]}"
  part j0 judge 60 --games "${games[@]}" --depth 7 --exact 13 --share 0.2 --seed 822 --out j0.positions
  part j0.bin rows j0.bin --positions j0.positions
  # Cheap games, since exact endings need no good play before them.
  part g4 generate 20 --depth 2 --exact 8 --random-least 2 --random-most 44 --seed 804 --out g4.games
  part e5 exact 80 --games g4.games "${games[@]}" --exact 13 --share 1 --beside 5 --chosen --exact-only --seed 815 --out e5.positions
  part e5.bin rows e5.bin --positions e5.positions
  part j1 judge 220 --games "${games[@]}" --depth 7 --exact 13 --share 0.4 --beside 3 --chosen --seed 821 --out j1.positions
  part j1.bin rows j1.bin --positions j1.positions
  part e6 exact 150 --games "${games[@]}" --exact 16 --share 0.4 --beside 4 --chosen --exact-only --seed 816 --out e6.positions
  part e6.bin rows e6.bin --positions e6.positions
}

networks_two() {
  local begin=()
  if [ -e t2.pt ]; then begin=(--start t2.pt); fi
  after results.bin j0.bin
  part t3.pt teach t3.pt 130 --rows j0.bin@4@14-60 results.bin@1@0-60 "${begin[@]}" --seed 3
  after e5.bin j1.bin
  part t4.pt teach t4.pt 210 --rows e5.bin@1@0-13 j0.bin@5@14-60 j1.bin@5@14-60 results.bin@1@14-60 --start t3.pt --rate 0.0015 --seed 4
  part q2.bin answer t4.pt q2.bin 85 --rows results.bin j1.bin --pupil first.safetensors --seed 832
  after e6.bin
  part run2 learn run2 400 --start first.safetensors --near 20 --decay 0.05 --rate 0.001 \
    --rows q2.bin@1@12-60 e5.bin@2@4-13 e6.bin@3@4-16
  part seal2 seal run2 nnue.safetensors.zst
}

# Round three: from a network that is there (FIRST), first what is near the end, since searches end there; then judgements of
# the network that learned it, a teacher and a network again. Positions lie at the ends of best lines of four plies.
searches_three() {
  weights=$first
  part g5 generate 70 --depth 4 --exact 14 --random-least 2 --random-most 20 --seed 805 --out g5.games
  part results5.bin rows results5.bin --games g5.games
  # Wild games, since what a search looks at is often lopsided.
  part g6 generate 12 --depth 2 --exact 10 --random-least 16 --random-most 44 --seed 806 --out g6.games
  part e7 exact 180 --games g5.games g6.games --exact 16 --share 0.5 --beside 5 --chosen 4 --follow --exact-only --seed 817 --out e7.positions
  part e7.bin rows e7.bin --positions e7.positions
  part e8 exact 105 --games g5.games --exact 17 --share 0.5 --beside 4 --chosen 6 --follow --exact-only --seed 818 --out e8.positions
  part e8.bin rows e8.bin --positions e8.positions
  after seal3a
  weights=$PWD/near.safetensors
  part j2 judge 120 --games g5.games --depth 6 --exact 14 --share 0.4 --beside 3 --chosen 2 --seed 823 --out j2.positions
  part j2.bin rows j2.bin --positions j2.positions
  part j3 judge 140 --games g5.games --depth 7 --exact 14 --share 0.4 --beside 3 --chosen 2 --seed 824 --out j3.positions
  part j3.bin rows j3.bin --positions j3.positions
}

networks_three() {
  part start "$trilith" artifacts seal "$first" --game othello --kind nnue --out start.safetensors
  after results5.bin
  part t5.pt teach t5.pt 170 --rows results5.bin@1@0-60 --seed 5
  after e7.bin
  part run3a learn run3a 100 --start start.safetensors --anchor --near 20 --decay 0.05 --rate 0.001 --rows e7.bin@1@4-16 results5.bin@1@17-60
  part seal3a seal run3a near.safetensors
  part t6.pt teach t6.pt 120 --rows e7.bin@1@4-16 results5.bin@1@17-60 --start t5.pt --seed 6
  after j2.bin
  part t7.pt teach t7.pt 140 --rows e7.bin@1@10-16 j2.bin@4@15-60 results5.bin@1@17-60 --start t6.pt --rate 0.0015 --seed 7
  after j3.bin
  part t8.pt teach t8.pt 200 --rows e7.bin@1@10-16 j2.bin@4@15-60 j3.bin@6@15-60 results5.bin@1@17-60 --start t7.pt --rate 0.0015 --seed 8
  part q3.bin answer t8.pt q3.bin 120 --rows results5.bin j2.bin --pupil near.safetensors --least 15 --seed 833
  part run3 learn run3 430 --start near.safetensors --near 20 --decay 0.05 --rate 0.001 \
    --rows q3.bin@1@17-60 e7.bin@1@4-16 e8.bin@1@4-17
  part seal3 seal run3 nnue.safetensors.zst
}

# Round four: from a network that is there (FIRST) and many cheap games (GAMES, perfect from 18 empty squares on). Games with few
# random plies and better play come to them: there having the last move is worth what it is among strong players. First exact
# values at the ends of best lines, then searches before them.
searches_four() {
  weights=$first
  part g8 generate 45 --depth 6 --exact 18 --random-least 2 --random-most 9 --seed 807 --out g8.games
  part good.bin rows good.bin --games g8.games
  part played.bin rows played.bin --games "${games[@]}"
  part e9 exact 88 --games g8.games "${games[@]}" --exact 16 --share 0.6 --beside 3 --chosen 6 --follow --exact-only --seed 819 --out e9.positions
  part e9.bin rows e9.bin --positions e9.positions
  part e10 exact 40 --games g8.games "${games[@]}" --exact 17 --share 0.6 --beside 2 --chosen 5 --follow --exact-only --seed 820 --out e10.positions
  part e10.bin rows e10.bin --positions e10.positions
  after seal4a
  weights=$PWD/near4.safetensors
  part j4 judge 62 --games g8.games "${games[@]}" --depth 6 --exact 14 --share 0.35 --beside 3 --chosen 4 --seed 825 --out j4.positions
  part j4.bin rows j4.bin --positions j4.positions
}

networks_four() {
  part start4 "$trilith" artifacts seal "$first" --game othello --kind nnue --out start4.safetensors
  after e9.bin
  part run4a learn run4a 40 --start start4.safetensors --anchor --exact 18 --result 0 --focus 8-18 --near 20 --decay 0.05 --rate 0.001 \
    --rows e9.bin@1@1-16 good.bin played.bin@1@1-18
  part seal4a seal run4a near4.safetensors
  after j4.bin e10.bin
  part run4 learn run4 58 --start near4.safetensors --anchor --exact 18 --result 0.1 --near 20 --decay 0.05 --rate 0.001 \
    --rows j4.bin@2@18-60 e9.bin@1@1-16 e10.bin@1@1-17 good.bin played.bin@1@1-18
  part seal4 seal run4 nnue.safetensors.zst
}

# Round six: from a network that is there (FIRST), a teacher that has much to learn from: exact endings of up to 16 empty squares and
# searches of seven plies before them, of good games with few random plies and of positions beside them. It answers for wilder
# positions too (w2), and for those that the network likes too much; the network learns from its answers and from what it learned.
searches_six() {
  weights=$first
  part good generate 60 --depth 6 --exact 17 --random-least 2 --random-most 14 --seed 9601 --out good.games
  part good.bin rows good.bin --games good.games
  weights=$patterns
  part c6 generate 15 --depth 3 --exact 12 --random-least 2 --random-most 20 --seed 9612 --out c6.games
  weights=$first
  part e61 exact 70 --games c6.games good.games --exact 14 --exact-only --share 1 --beside 3 --chosen 2 --follow --left 9-18 --seed 861 --out e61.positions
  part e61.bin rows e61.bin --positions e61.positions
  part e62 exact 130 --games good.games c6.games --exact 16 --exact-only --share 1 --beside 3 --chosen 3 --follow --left 15-20 --seed 862 --out e62.positions
  part e62.bin rows e62.bin --positions e62.positions
  part j61 judge 130 --games good.games --depth 7 --exact 14 --share 0.6 --beside 3 --chosen 2 --left 17-57 --seed 863 --out j61.positions
  part j61.bin rows j61.bin --positions j61.positions
  weights=$patterns
  part w2 generate 8 --depth 2 --exact 8 --random-least 10 --random-most 40 --seed 9611 --out w2.games
  part w2.bin rows w2.bin --games w2.games
  weights=$first
  part j62 judge 190 --games good.games --depth 7 --exact 14 --share 0.9 --beside 4 --chosen 3 --left 17-57 --seed 864 --out j62.positions
  part j62.bin rows j62.bin --positions j62.positions
}

networks_six() {
  part start6 "$trilith" artifacts seal "$first" --game othello --kind nnue --out start6.safetensors
  after good.bin e61.bin
  part t61.pt teach t61.pt 260 --rows e61.bin@1@0-14 good.bin@1@0-60 --seed 61
  after e62.bin j61.bin
  part t62.pt teach t62.pt 200 --rows e61.bin@1@4-14 e62.bin@2@13-16 j61.bin@3@15-60 good.bin@1@15-60 --start t61.pt --rate 0.0015 --seed 62
  after j62.bin w2.bin
  part t63.pt teach t63.pt 170 --rows e61.bin@1@4-14 e62.bin@2@13-16 j61.bin@3@15-60 j62.bin@3@15-60 good.bin@1@15-60 --start t62.pt --rate 0.001 --seed 63
  part q6.bin answer t63.pt q6.bin 140 --rows good.bin j61.bin j62.bin w2.bin --pupil start6.safetensors --least 13 --seed 834
  part run6 learn run6 300 --start start6.safetensors --near 20 --decay 0.05 --rate 0.001 \
    --rows q6.bin@1@13-60 e61.bin@2@4-14 e62.bin@2@13-16
  part six seal run6 six.safetensors
}

# Round seven: round six again from its network, with more of everything. First come good games and exact endings of 13 to 16 empty
# squares, which a processor alone makes beforehand. Searches go on while the teacher answers, for the network alone.
searches_seven() {
  weights=$first
  part good generate 60 --depth 6 --exact 17 --random-least 2 --random-most 14 --seed 9801 --out good.games
  part good.bin rows good.bin --games good.games
  part e70 exact 70 --games good.games --exact 16 --exact-only --share 1 --beside 3 --chosen 3 --follow --left 15-20 --seed 870 --out e70.positions
  part e74 exact 70 --games good.games --exact 16 --exact-only --share 1 --beside 3 --chosen 3 --follow --left 15-20 --seed 877 --out e74.positions
  part e70.bin rows e70.bin --positions e70.positions e74.positions
  weights=$patterns
  part c7 generate 10 --depth 3 --exact 12 --random-least 2 --random-most 20 --seed 9812 --out c7.games
  part w7 generate 8 --depth 2 --exact 8 --random-least 10 --random-most 40 --seed 9811 --out w7.games
  part w7.bin rows w7.bin --games w7.games
  weights=$first
  part e71 exact 60 --games c7.games good.games --exact 14 --exact-only --share 1 --beside 3 --chosen 2 --follow --left 9-18 --seed 871 --out e71.positions
  part e71.bin rows e71.bin --positions e71.positions
  part j71 judge 120 --games good.games --depth 7 --exact 14 --share 0.8 --beside 3 --chosen 2 --left 17-57 --seed 873 --out j71.positions
  part j71.bin rows j71.bin --positions j71.positions
  part e72 exact 80 --games good.games c7.games --exact 16 --exact-only --share 1 --beside 3 --chosen 3 --follow --left 15-20 --seed 872 --out e72.positions
  part e72.bin rows e72.bin --positions e72.positions
  part j72 judge 220 --games good.games --depth 7 --exact 14 --share 1 --beside 4 --chosen 3 --left 17-57 --seed 874 --out j72.positions
  part j72.bin rows j72.bin --positions j72.positions
  part j73 judge 260 --games good.games --depth 7 --exact 14 --share 1 --beside 3 --chosen 3 --left 15-45 --seed 875 --out j73.positions
  part j73.bin rows j73.bin --positions j73.positions
  part e73 exact 100 --games good.games c7.games --exact 16 --exact-only --share 1 --beside 4 --chosen 3 --follow --left 15-20 --seed 876 --out e73.positions
  part e73.bin rows e73.bin --positions e73.positions
}

networks_seven() {
  part start7 "$trilith" artifacts seal "$first" --game othello --kind nnue --out start7.safetensors
  after good.bin e70.bin
  part t71.pt teach t71.pt 295 --rows e70.bin@1@9-16 good.bin@1@0-60 --seed 71
  after e71.bin j71.bin e72.bin
  part t72.pt teach t72.pt 250 --rows e70.bin@2@13-16 e71.bin@1@4-14 e72.bin@2@13-16 j71.bin@3@15-60 good.bin@1@15-60 --start t71.pt --rate 0.0015 --seed 72
  after j72.bin w7.bin
  part t73.pt teach t73.pt 190 --rows e70.bin@2@13-16 e71.bin@1@4-14 e72.bin@2@13-16 j71.bin@3@15-60 j72.bin@3@15-60 good.bin@1@15-60 --start t72.pt --rate 0.001 --seed 73
  part q7.bin answer t73.pt q7.bin 240 --rows good.bin j71.bin j72.bin w7.bin --pupil start7.safetensors --least 13 --seed 835
  after j73.bin e73.bin
  part run7 learn run7 420 --start start7.safetensors --focus 9-46 --batch 98304 --near 20 --rough 0.1 --decay 0.05 --rate 0.001 \
    --rows q7.bin@1@13-60 j73.bin@1@15-60 e70.bin@2@13-16 e71.bin@2@4-14 e72.bin@2@13-16 e73.bin@2@13-16
  part seven seal run7 seven.safetensors
}

# Ends: learns the small layers of a network (FIRST) anew for up to 12 empty squares, where exact values are cheap and other
# rounds learn few positions too often. With MEAN="0.1:FILE 0.2:FILE 0.7:FILE" it begins with the mean of these networks, unpacked
# files each. `level` comes after it.
searches_ends() {
  weights=$first
  part games_ends generate 60 --depth 6 --exact 17 --random-least 2 --random-most 14 --seed 9801 --out good.games
  for seed in 881 883; do
    part e$seed exact 100 --games good.games --exact 12 --exact-only --share 1 --beside 4 --chosen 2 --follow --left 3-14 --seed $seed --out e$seed.positions
  done
  part e88.bin rows e88.bin --positions e881.positions e883.positions
}

networks_ends() {
  [ ${#nets[@]} -gt 0 ] || nets=(1:start.safetensors)
  part start "$trilith" artifacts seal "$first" --game othello --kind nnue --out start.safetensors
  part mean python3 "$training/othello_nnue.py" mean "${nets[@]}" --out mean
  after e88.bin
  part ends python3 "$training/othello_nnue.py" ends --rows e88.bin --start mean/nnue.safetensors --seconds "$(seconds 150)" --out ends
  part ended seal ends ended.safetensors
}

# Level: moves what a network (FIRST) says with each number of empty squares, so that searches of it are right on average in games with
# few random plies and good play, 432 of which lie beside this script. Then fit ProbCut anew.
searches_level() {
  weights=$first
  for depth in 5 6; do
    part "l$depth" judge 3600 --games "$training/othello_level.games" --depth $depth --exact 0 --share 0.25 --seed 861 --out l$depth.positions
    part "l$depth.bin" rows "l$depth.bin" --positions "l$depth.positions"
  done
}

networks_level() {
  part first "$trilith" artifacts seal "$first" --game othello --kind nnue --out first.safetensors
  part linear "$trilith" artifacts seal "$patterns" --game othello --kind patterns --out linear.safetensors
  after l5.bin l6.bin
  part level python3 "$training/othello_nnue.py" level --rows l5.bin@5 l6.bin@6 --start first.safetensors --linear linear.safetensors --out level
  part seal5 seal level nnue.safetensors.zst
}

rm -f failed
for round in $rounds; do
  for work in $works; do ("${work}_$round" || { touch failed; exit 1; }) & done
  wait
  [ ! -e failed ]
done
