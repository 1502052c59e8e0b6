package io.remuda.coordinator.cli.unit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The unit file of a server for systemd.
 *
 * @param program path of {@code bin/remuda}
 * @param options of {@code serve}
 * @param environment variables that the server needs, by name
 */
record ServiceUnit(String program, List<String> options, Map<String, String> environment) {

  /** Name of the unit. */
  static final String NAME = "remuda.service";

  ServiceUnit {
    options = List.copyOf(options);
    environment = Map.copyOf(environment);
  }

  /** Returns the content of the file. */
  String text() {
    String variables =
        new TreeMap<>(environment)
            .entrySet().stream()
                .map(one -> "Environment=" + quoted(one.getKey() + "=" + one.getValue()) + "\n")
                .collect(Collectors.joining());
    String words = options.stream().map(word -> " " + command(word)).collect(Collectors.joining());
    return """
        # Written by remuda service install.
        [Unit]
        Description=Remuda job service
        Documentation=man:remuda-serve(1)

        [Service]
        Type=exec
        """
        + variables
        + "ExecStart="
        + command(program)
        + " serve"
        + words
        + "\n"
        + """
        # The agent, the keeper and the tasks go on without the server.
        KillMode=process
        # A task that takes too much memory does not end the server.
        OOMPolicy=continue
        Restart=on-failure
        RestartSec=5
        # Bad usage, and another server that has the state folder.
        RestartPreventExitStatus=2 4
        TimeoutStopSec=60

        [Install]
        WantedBy=default.target
        """;
  }

  /** Quotes a word of a command line, in which systemd also replaces variables. */
  private static String command(String word) {
    return quoted(word).replace("$", "$$");
  }

  /** Quotes a value; {@code %} begins a specifier of systemd. */
  private static String quoted(String value) {
    return '"'
        + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("%", "%%")
        + '"';
  }
}
