package io.remuda.agent.attempt;

import io.remuda.agent.keeper.sweep.ProcessTaskLookup;
import io.remuda.agent.protocol.TaskReport;
import java.util.List;
import java.util.stream.Stream;

/** Reads the facts about a running task from the environment of its first process. */
public final class TaskEnvironmentReader {

  private static final int MILLI = 1000;

  /** Facts of a task that has cleared its environment; it counts as using one CPU. */
  private static final TaskReport.Facts UNKNOWN =
      new TaskReport.Facts("unknown", "unknown", MILLI, 0, List.of());

  private TaskEnvironmentReader() {}

  public static TaskReport.Facts of(long pid) {
    return ProcessTaskLookup.variables(pid).map(TaskEnvironmentReader::of).orElse(UNKNOWN);
  }

  private static TaskReport.Facts of(ProcessTaskLookup.Variables variables) {
    try {
      String devices = variables.get("REMUDA_DEVICES", "");
      return new TaskReport.Facts(
          variables.get("REMUDA_JOB_NAME", UNKNOWN.name()),
          variables.get("REMUDA_USER", UNKNOWN.user()),
          Math.round(Double.parseDouble(variables.get("REMUDA_CPUS", "1")) * MILLI),
          Long.parseLong(variables.get("REMUDA_MEM_MIB", "0")) << 20,
          Stream.of(devices.split(",")).filter(device -> !device.isEmpty()).toList());
    } catch (NumberFormatException changed) {
      return UNKNOWN;
    }
  }
}
