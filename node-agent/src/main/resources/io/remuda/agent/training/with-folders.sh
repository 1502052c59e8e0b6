#!/bin/sh
# with-folders ROOT INSIDE=FOLDER... -- COMMAND
# Runs a command that finds each FOLDER at INSIDE, such as /snapshots, by a user and mount namespace
# of its own. Nothing else changes for it. ROOT is an empty folder.
set -e
if [ "$1" != --inside ]; then
  exec unshare --user --map-root-user --mount --propagation private \
    sh "$0" --inside "$(id -u)" "$(id -g)" "$@"
fi
user=$2 group=$3 root=$4 here=$PWD
shift 4
mount -t tmpfs -o size=1m,mode=0755 remuda "$root"
for entry in /* /.[!.]*; do
  if [ -L "$entry" ]; then
    cp -P "$entry" "$root$entry"
  elif [ -d "$entry" ]; then
    mkdir "$root$entry"
    mount --rbind "$entry" "$root$entry"
  elif [ -e "$entry" ]; then
    : >"$root$entry"
    mount --bind "$entry" "$root$entry"
  fi
done
while [ "$1" != -- ]; do
  mkdir -p "$root${1%%=*}"
  mount --bind "${1#*=}" "$root${1%%=*}"
  shift
done
shift
cd "$root"
pivot_root . .
umount -l .
cd "$here"
exec unshare --user --map-user="$user" --map-group="$group" -- "$@"
