package io.remuda.coordinator.cli.script;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How much the head of a script asks for. A script runs once, on one node, with what all of its
 * tasks need.
 *
 * @param sbatch options of the head
 */
record SbatchAmounts(SbatchOptions sbatch) {

  /**
   * Returns the value of an option that is a number, 1 if it is not given.
   *
   * @throws IllegalArgumentException if it is not a number
   */
  long number(String name) {
    String value = sbatch.value(name);
    if (value == null) {
      return 1;
    }
    if (!value.matches("\\d{1,9}(-\\d{1,9})?")) {
      throw new IllegalArgumentException("'" + value + "' is not a number");
    }
    return Long.parseLong(value.replaceFirst("-.*", ""));
  }

  /** Returns how many tasks the script would start in Slurm, 1 or more. */
  long tasks() {
    if (sbatch.value("ntasks") != null) {
      return Math.max(1, number("ntasks"));
    }
    long ofEach = stated("gpus-per-task");
    if (ofEach > 0 && stated("gpus") > 0) {
      return Math.max(1, stated("gpus") / ofEach);
    }
    boolean byGpus = sbatch.value("ntasks-per-gpu") != null && ofEach == 0;
    return byGpus && gpus() > 0
        ? Math.max(1, gpus() * number("ntasks-per-gpu"))
        : Math.max(1, nodes() * number("ntasks-per-node"));
  }

  /**
   * Returns how many nodes' shares the script gets, here on one node: what sbatch asks for of each
   * node, it asks for so many times.
   */
  long nodes() {
    return sbatch.value("ntasks") != null ? 1 : Math.max(1, number("nodes"));
  }

  /** Returns for how many tasks sbatch reserves CPUs. */
  private long places() {
    return sbatch.value("overcommit") != null
        ? nodes()
        : Math.max(tasks(), number("ntasks-per-node"));
  }

  /** Returns whether it asks for more than one task. */
  boolean areSeveral() {
    return tasks() > 1 || places() > 1;
  }

  long cpus() {
    return places() * number("cpus-per-task");
  }

  /**
   * Returns the mebibytes that options by CPU or GPU ask for, by their names.
   *
   * @param cpus of the job, as an option states them
   * @param gpus of the job
   */
  Map<String, Long> memoryOfEach(String cpus, long gpus) {
    Map<String, Long> all = new LinkedHashMap<>();
    if (sbatch.value("mem-per-cpu") != null) {
      boolean isNumber = cpus.matches("\\d{1,9}([.]\\d{1,9})?"); // else its option says so
      long each = SlurmQuantities.mebibytes(sbatch.value("mem-per-cpu"));
      double sum = each * (isNumber ? Double.parseDouble(cpus) : 1);
      all.put("mem-per-cpu", (long) Math.ceil(sum));
    }
    if (sbatch.value("mem-per-gpu") != null) {
      long each = SlurmQuantities.mebibytes(sbatch.value("mem-per-gpu"));
      all.put("mem-per-gpu", each * Math.max(1, gpus));
    }
    return all;
  }

  /** Returns all GPUs; 0 if the head asks for none. */
  long gpus() {
    for (String name : List.of("gpus", "gpus-per-task", "gres", "gpus-per-node")) {
      long stated = stated(name);
      if (stated > 0) {
        return stated * times(name);
      }
    }
    return 0;
  }

  /** Returns the GPUs of one option, as it states them; 0 without. */
  private long stated(String name) {
    String value = sbatch.value(name);
    return value == null ? 0 : SlurmGpus.of(name, value).count();
  }

  /** Returns how many times an option of GPUs counts. */
  private long times(String name) {
    return switch (name) {
      case "gpus-per-task" -> tasks();
      case "gres", "gpus-per-node" -> nodes();
      default -> 1;
    };
  }
}
