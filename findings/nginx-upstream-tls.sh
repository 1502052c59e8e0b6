#!/bin/bash
# nginx 1.22.1 (Debian 12), with OpenSSL 3
# Guess:     proxy_pass https://… negotiates the newest version of TLS that both sides have, as every
#            client of OpenSSL does; a server that has TLS 1.3 alone is fine.
# Behaviour: without proxy_ssl_protocols it offers TLS 1.2 at most to upstreams, and answers 502. (From
#            1.23.4 on TLS 1.3 is among the defaults.)
set -u
tools=$(mktemp -d) && chmod 755 "$tools" && cd "$tools" || exit 2 # 755: apt gives up its rights to download
trap 'rm -rf "$tools"' EXIT

cannot() { # why it cannot be tried here
  echo "cannot be tried: $1"
  exit 2
}

unpack() { # NAME=VERSION...: packages of Debian, into the temporary folder, before what is installed
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || cannot "needs Debian's apt-get and dpkg"
  apt-get download -qq "$@" >apt.log 2>&1 || cannot "no $* here: $(tail -n 1 apt.log)"
  for package in *.deb; do
    dpkg -x "$package" . && rm "$package"
  done
  PATH=$tools/usr/bin:$tools/usr/sbin:$PATH
  LD_LIBRARY_PATH=$(find "$tools" -name '*.so*' -printf '%h\n' | sort -u | grep -v python | tr '\n' ':')
  export PATH LD_LIBRARY_PATH
}

verdict() { # stated seen
  echo "stated: $1"
  echo "seen:   $2"
  [ "$1" = "$2" ] || { echo "CHANGED"; exit 1; }
  echo "AS STATED"
}

unpack nginx=1.22.1-9+deb12u11
command -v openssl >/dev/null && command -v curl >/dev/null || cannot "needs openssl and curl"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=upstream -keyout key -out crt 2>/dev/null
port() { /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
up=$(port) plain=$(port) told=$(port)
openssl s_server -accept "127.0.0.1:$up" -key key -cert crt -tls1_3 -www -quiet >/dev/null 2>&1 &
server=$!
for folder in body proxy fastcgi uwsgi scgi; do temporary="${temporary:-} ${folder/body/client_body}_temp_path $tools/$folder;"; done
cat >nginx.conf <<N
daemon off; master_process off; pid $tools/pid; error_log $tools/log;
events { }
http {
  access_log off; $temporary
  server { listen 127.0.0.1:$plain; location / { proxy_pass https://127.0.0.1:$up; } }
  server { listen 127.0.0.1:$told; location / { proxy_pass https://127.0.0.1:$up; proxy_ssl_protocols TLSv1.3; } }
}
N
nginx -p "$tools" -e "$tools/log" -c "$tools/nginx.conf" >out 2>&1 &
proxy=$!
trap 'kill $server $proxy 2>/dev/null; rm -rf "$tools"' EXIT
status() { curl -s -o /dev/null -w '%{http_code}' --retry 20 --retry-connrefused --retry-delay 1 --max-time 40 "http://127.0.0.1:$1/"; }
seen="$(nginx -v 2>&1 | grep -o 'nginx/[0-9.]*'); told $(status "$told"); untold"
curl -s -o /dev/null -w '%{http_code}' --max-time 20 "http://127.0.0.1:$plain/" >untold
seen="$seen $(cat untold)"
verdict "nginx/1.22.1; told 200; untold 502" "$seen"
