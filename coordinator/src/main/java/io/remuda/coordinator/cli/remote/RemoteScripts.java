package io.remuda.coordinator.cli.remote;

/**
 * The scripts that run on other machines, for any POSIX shell. They have no single quote, so that
 * login shells that quote a little differently, such as fish, pass them on unchanged, too.
 */
final class RemoteScripts {

  private RemoteScripts() {}

  private static final String PLACES =
      """
      set -eu
      umask 077
      base=$HOME/.local/share/remuda/releases
      home=${REMUDA_HOME:-$HOME/.remuda}
      """;

  /** Arguments: the release. Prints the machine, the Java, and what is there of releases. */
  static final String LOOK =
      PLACES
          + """
          echo "machine $(uname -s) $(uname -m)"
          echo "node $(uname -n)"
          java=${JAVA_HOME:+$JAVA_HOME/bin/java}
          java=${java:-$(command -v java || true)}
          if [ -n "$java" ] && [ -x "$java" ]; then
            "$java" -version 2>&1 | sed -n "s/.*version \\"\\([0-9]*\\).*/java \\1/p"
          fi
          for tool in tar sha256sum; do
            command -v $tool >/dev/null || echo "lacks $tool"
          done
          if [ -f "$base/$1/complete" ]; then
            echo present
          else
            for old in "$base"/*/manifest; do
              [ -f "$old" ] && [ -f "${old%/*}/complete" ] || continue
              name=${old%/manifest}
              sed "s|^\\([0-9a-f]*\\)  |have \\1  ${name##*/}/|" "$old"
            done
          fi
          """;

  /**
   * Arguments: the release. Input: a tar of its files that are not there, of {@code manifest} and
   * of {@code links}, which names the others.
   */
  static final String COPY =
      PLACES
          + """
          new=$base/$1.new.$$
          mkdir -p "$new"
          trap "rm -rf \\"$new\\"" EXIT
          tar -C "$new" -xf -
          while read -r old path; do
            mkdir -p "$new/$(dirname "$path")"
            ln "$base/$old" "$new/$path" 2>/dev/null || cp -p "$base/$old" "$new/$path"
          done <"$new/links"
          rm "$new/links"
          cd "$new"
          if sha256sum -c manifest >check 2>&1; then
            rm check
          else
            echo "what has arrived is not what was sent: $(grep -v ": OK" check | head -n 1)" >&2
            exit 1
          fi
          : >complete
          cd "$base"
          mv "$new" "$base/$1" 2>/dev/null || [ -f "$base/$1/complete" ]
          """;

  /** Arguments: the release, the cluster, options of the agent. Input: the access file. */
  static final String START =
      PLACES
          + """
          release=$base/$1
          place=$home/remote/$2
          shift 2
          mkdir -p "$place"
          cat >"$place/access.json.new"
          mv "$place/access.json.new" "$place/access.json"
          pid=$(cat "$place/pid" 2>/dev/null || echo 0)
          if tr "\\0" " " <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$place/access.json"; then
            echo "already $pid $place/agent.log"
            exit 0
          fi
          cd /
          apart=$(command -v setsid || true)
          $apart nohup "$release/bin/remuda" agent --join "$place/access.json" "$@" \\
            >>"$place/agent.log" 2>&1 </dev/null &
          echo $! >"$place/pid"
          echo "started $(cat "$place/pid") $place/agent.log"
          """;

  /** Arguments: the cluster. Prints the end of the agent's log. */
  static final String LAST_WORDS =
      PLACES
          + """
          tail -n 5 "$home/remote/$1/agent.log"
          """;

  /** Arguments: the cluster. Ends the agent in order. */
  static final String STOP =
      PLACES
          + """
          place=$home/remote/$1
          pid=$(cat "$place/pid" 2>/dev/null || echo 0)
          ours() {
            tr "\\0" " " <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$place/access.json"
          }
          if ours; then
            kill "$pid"
            tries=0
            while ours; do
              tries=$((tries + 1))
              if [ "$tries" -gt 150 ]; then
                echo "process $pid does not end" >&2
                exit 1
              fi
              sleep 0.1 2>/dev/null || sleep 1
            done
            echo "stopped $pid"
          else
            echo none
          fi
          rm -f "$place/pid" "$place/access.json"
          """;
}
