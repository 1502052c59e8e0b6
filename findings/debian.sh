# For the scripts beside it. unpack NAME=VERSION...: brings packages of Debian into $tools, a temporary
# folder that is removed at the end, and puts their programs, libraries and Python modules first.
set -u
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

cannot() { # why it cannot be tried here
  echo "cannot be tried: $1"
  exit 2
}

unpack() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || cannot "needs Debian's apt-get and dpkg"
  chmod 755 "$tools" # apt gives up its rights to download
  (cd "$tools" && apt-get download -qq "$@" >apt.log 2>&1) ||
    cannot "no $* here: $(tail -n 1 "$tools/apt.log")"
  for package in "$tools"/*.deb; do
    dpkg -x "$package" "$tools" && rm "$package"
  done
  PATH=$tools/usr/bin:$tools/usr/sbin:$PATH
  LD_LIBRARY_PATH=$(find "$tools" -name '*.so*' -printf '%h\n' | sort -u | grep -v python | tr '\n' ':')
  PYTHONPATH=$tools/usr/lib/python3/dist-packages
  export PATH LD_LIBRARY_PATH PYTHONPATH
}

verdict() { # expected seen
  echo "stated: $1"
  echo "seen:   $2"
  [ "$1" = "$2" ] || { echo "CHANGED"; exit 1; }
  echo "AS STATED"
}
