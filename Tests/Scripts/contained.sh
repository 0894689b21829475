#!/usr/bin/env bash
# Of a command that Tests/contained runs nothing stays, however it ends: no process and no file.
source "$(dirname "$0")/common.bash"

if [ "$(uname)" != Linux ]; then
  echo "skipped what stays of a killed run: the processes are found on Linux"
  exit
fi

# A command with children that run for a day: one in a session of its own, one that ignores every request to end, and
# one that is stopped. It prints its folders and the children's numbers.
busy='
  touch "$TMPDIR/file" "$STRATA_MEMORY_FOLDER/file"
  mkdir -m 0 "$TMPDIR/locked"
  setsid sleep 86400 & first=$!
  (trap "" TERM INT HUP; exec sleep 86400) & second=$!
  sleep 86400 & third=$!
  kill -STOP $third
  echo "$TMPDIR $STRATA_MEMORY_FOLDER $first $second $third"
'

# isGone <path or process> …: succeeds as soon as none of them is there; fails if that takes longer than 20 seconds.
isGone() {
  local thing end=$((SECONDS + 20))
  for thing; do
    while [ -e "$thing" ] || [ -e "/proc/$thing" ]; do
      if [ $SECONDS -gt $end ]; then
        echo "$thing is still there"
        return 1
      fi
      sleep 0.05
    done
  done
}

# leavesNothing <signal or nothing>: lets the command end, or kills it by a signal.
leavesNothing() {
  local out=$consumers/contained things
  rm -f "$out"
  if [ -z "$1" ]; then
    Tests/contained bash -c "$busy" >"$out"
  else
    Tests/contained bash -c "$busy"'sleep 86400 & wait' >"$out" &
    for _ in {1..200}; do [ -s "$out" ] && break || sleep 0.05; done
    kill "-$1" $!
    wait $! || true
  fi
  read -ra things <"$out"
  [ ${#things[@]} = 5 ] && isGone "${things[@]}"
}

check "of a command that ends nothing stays" leavesNothing ""
for signal in TERM KILL; do
  check "nor of one that is ended by SIG$signal" leavesNothing $signal
done

# sockets <server>: prints the sockets in /tmp that a SeaweedFS server has bound: their names have its ports.
sockets() {
  local port
  for port in $(tr '\0' '\n' <"/proc/$1/cmdline" | sed -nE 's/^-.*port.*=([1-9].*)/\1/p'); do
    find /tmp -maxdepth 1 -name "seaweedfs-*-$port.sock"
  done
}

# Kills a run of the tests while its servers run. Its logs are not those of the run that this check is a part of.
leavesNoServer() {
  local run server left=() build=$consumers/killed
  mkdir -p "$build"
  ln -sfn "$PWD/.build/debug" "$build/debug"
  env -u STRATA_MEMORY_FOLDER Tests/run Strata "$build" StrataS3Tests ServerFailureTests >"$consumers/contained" 2>&1 &
  run=$!
  for _ in {1..400}; do
    for server in $(pgrep -x weed); do
      if grep -qsz "strata-run-$run/" "/proc/$server/environ"; then left=($(sockets "$server") "$server"); fi
    done
    [ ${#left[@]} -lt 4 ] || break
    sleep 0.05
  done
  kill -KILL "$run"
  wait "$run" || true
  [ ${#left[@]} -ge 4 ] && isGone "${left[@]}" "${TMPDIR:-/tmp}/strata-run-$run" "/dev/shm/strata-run-$run"
}
if [ -x .build/s3/bin/weed ]; then
  check "nor of a run of the tests that is killed while its servers run" leavesNoServer
else
  echo "skipped a killed run: SeaweedFS is not installed"
fi
