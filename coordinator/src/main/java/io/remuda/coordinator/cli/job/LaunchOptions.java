package io.remuda.coordinator.cli.job;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of how processes are started, which become the fields of the HTTP interface. */
final class LaunchOptions {

  @Option(
      names = "--pin",
      description =
          "bind each task to --cpus CPUs of its own, next to its GPU where the machine tells")
  private boolean pin;

  /** Returns the fields that were given. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    JobOptions.put(fields, "pin", pin ? true : null);
    return fields;
  }
}
