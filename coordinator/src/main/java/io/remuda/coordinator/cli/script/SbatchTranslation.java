package io.remuda.coordinator.cli.script;

import io.remuda.agent.commandline.SimilarWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Turns options of sbatch into options of Remuda; docs/scripts.md has the table. What has no
 * meaning here is collected by name. One use, one thread.
 */
final class SbatchTranslation {

  private static final int USUAL_NICE = 100;

  private final JobScript script;
  private final SbatchOptions sbatch;
  private final Set<String> known;
  private final SlurmFileNamePatterns names;
  private final boolean usualFile;
  private final Map<String, List<String>> options = new LinkedHashMap<>();
  private final Set<String> ignored = new TreeSet<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param known the long names of Remuda's options
   * @param names reads the names of files
   * @param usualFile whether the output goes to a file if nobody has chosen one
   */
  SbatchTranslation(
      JobScript script,
      SbatchOptions sbatch,
      Set<String> known,
      SlurmFileNamePatterns names,
      boolean usualFile) {
    this.script = script;
    this.sbatch = sbatch;
    this.known = known;
    this.names = names;
    this.usualFile = usualFile;
    for (String name : sbatch.names()) {
      SbatchOptions.Stated stated = sbatch.given().get(name);
      try {
        translate(name, stated.value());
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            script.place(stated.line()) + SbatchOptions.written(name) + ": " + wrong.getMessage(),
            wrong);
      }
    }
    if (sbatch.value("mincpus") != null) {
      atLeast(number("mincpus"));
    }
  }

  /** Returns the values of each of Remuda's options that the script gives; none for a flag. */
  Map<String, List<String>> options() {
    return options;
  }

  /** Returns what users must know of options that mean something else here, or nothing. */
  List<String> notes() {
    List<String> all = new ArrayList<>();
    if (!ignored.isEmpty()) {
      all.add(
          "these options of #SBATCH have no meaning here and are ignored: "
              + String.join(", ", ignored));
    }
    all.addAll(notes);
    if (tasks() > 1) {
      all.add(
          "the script runs once, on one node, with the "
              + options.get("--cpus").get(0)
              + " CPUs of its "
              + tasks()
              + " tasks, which it starts itself");
    }
    return all;
  }

  /** Returns variables of Slurm that follow from the options alone: a script is on one node. */
  Map<String, String> variables() {
    return SbatchStatedVariables.of(sbatch, tasks());
  }

  /** Returns how many threads each task that the script starts may have; 0 for all CPUs. */
  int threads() {
    return tasks() > 1 ? (int) number("cpus-per-task") : 0;
  }

  private void translate(String name, String value) {
    switch (name) {
      case "job-name" -> put("--name", value);
      case "ntasks", "nodes", "ntasks-per-node", "cpus-per-task" -> cpus(name, value);
      case "cpus-per-gpu" -> cpusOfGpus();
      case "ntasks-per-gpu" -> tasksOfGpus();
      case "mincpus" -> number(name); // counts once the other options have
      case "mem" -> mem(name, SlurmQuantities.mebibytes(value) * nodes());
      case "mem-per-cpu" -> mem(name, SlurmQuantities.mebibytes(value) * cpus());
      case "mem-per-gpu" -> mem(name, SlurmQuantities.mebibytes(value) * Math.max(1, gpus()));
      case "gres", "gpus", "gpus-per-task", "gpus-per-node" -> devices(name, value);
      case "time" -> SlurmQuantities.time(value).ifPresent(time -> put("--time-limit", time));
      case "output", "error" -> file(name, value);
      case "chdir" -> put("--workdir", value);
      case "dependency" -> dependency(value);
      case "requeue" -> put("--preemptible");
      case "hold" -> put("--hold");
      case "nice" -> nice(value);
      case "priority" -> put("--priority", value);
      case "signal" -> signal(SbatchSignal.of(value));
      case "wait" -> {} // of the one who submits
      case "export" -> SbatchExport.of(value).set().forEach((n, v) -> put("--env", n + "=" + v));
      case "constraint" -> constraint(value);
      case "array" -> array(value);
      case "nodelist" -> each("--node", name, value);
      case "exclude" -> each("--exclude", name, value);
      case "exclusive" -> exclusive();
      case "licenses" -> licenses(value);
      case "open-mode" -> openMode(value);
      case "input" -> putIfKnown("--stdin", name, names.translated(value));
      case "begin" -> putIfKnown("--begin", "begin", value);
      default -> unfollowed(name, value);
    }
  }

  private void unfollowed(String name, String value) {
    SbatchWithoutCounterpart.refusal(name)
        .ifPresent(
            way -> {
              throw new IllegalArgumentException(way);
            });
    if (!SbatchWithoutCounterpart.isSoAnyway(name, value)) {
      ignore(name);
    }
  }

  private void put(String option, String... values) {
    options.computeIfAbsent(option, any -> new ArrayList<>()).addAll(List.of(values));
  }

  /** Puts an option that this build may not have yet. */
  private void putIfKnown(String option, String sbatchName, String... values) {
    if (known.contains(option)) {
      put(option, values);
    } else {
      ignore(sbatchName);
    }
  }

  /** Ignores an option of sbatch; one that sbatch does not have is probably misspelt. */
  private void ignore(String name) {
    if (!SbatchOptionNames.include(name)) {
      List<String> meant = SimilarWords.to(name, SbatchOptions.FOLLOWED);
      if (!meant.isEmpty()) {
        throw new IllegalArgumentException(
            "sbatch has no such option: did you mean --" + String.join(" or --", meant) + "?");
      }
    }
    ignored.add(SbatchOptions.written(name));
  }

  /** Ignores one value of an option. */
  private void ignore(String name, String value) {
    ignored.add(SbatchOptions.written(name) + "=" + value);
  }

  /** Returns the value of an option that is a number, 1 if it is not given. */
  private long number(String name) {
    String value = sbatch.value(name);
    if (value == null) {
      return 1;
    }
    if (!value.matches("\\d{1,9}(-\\d{1,9})?")) {
      throw new IllegalArgumentException("'" + value + "' is no number");
    }
    return Long.parseLong(value.replaceFirst("-.*", ""));
  }

  /** Returns how many tasks the script would start in Slurm, 1 or more. */
  long tasks() {
    if (sbatch.value("ntasks") != null) {
      return Math.max(1, number("ntasks"));
    }
    return sbatch.value("ntasks-per-gpu") != null && gpus() > 0
        ? Math.max(1, gpus() * number("ntasks-per-gpu"))
        : Math.max(1, nodes() * number("ntasks-per-node"));
  }

  /**
   * Returns how many nodes' shares the script gets, here on one node: what sbatch asks for of each
   * node, it asks for so many times.
   */
  private long nodes() {
    return sbatch.value("ntasks") != null ? 1 : Math.max(1, number("nodes"));
  }

  private long cpus() {
    return tasks() * number("cpus-per-task");
  }

  /** The script runs once, as in Slurm, with what all of its tasks need; here on one node. */
  private void cpus(String name, String value) {
    if (name.equals("nodes") && number(name) > 1 && sbatch.value("ntasks") != null) {
      ignore(name); // without ntasks it counts the tasks
    }
    if (name.equals("cpus-per-task") && tasks() == 1) {
      options.put("--cpus", List.of(value)); // what is wrong with it is said by the option
    } else if (tasks() > 1) {
      options.put("--cpus", List.of(Long.toString(cpus())));
    }
  }

  /** GPUs count the tasks, or tasks the GPUs. */
  private void tasksOfGpus() {
    long each = Math.max(1, number("ntasks-per-gpu"));
    if (gpus() == 0 && sbatch.value("ntasks") != null) {
      options.put("--gpus", List.of(Long.toString(tasks() / each)));
    } else if (gpus() == 0) {
      throw new IllegalArgumentException("it counts tasks by GPUs, and neither is given");
    } else if (tasks() > 1) {
      options.put("--cpus", List.of(Long.toString(cpus())));
    }
  }

  private void atLeast(long cpus) {
    String asked = options.getOrDefault("--cpus", List.of("1")).get(0);
    if (asked.matches("\\d{1,9}") && Long.parseLong(asked) < cpus) {
      options.put("--cpus", List.of(Long.toString(cpus)));
    }
  }

  private void cpusOfGpus() {
    if (gpus() > 0 && sbatch.value("cpus-per-task") == null && sbatch.value("ntasks") == null) {
      options.put("--cpus", List.of(Long.toString(gpus() * number("cpus-per-gpu"))));
    } else {
      ignore("cpus-per-gpu");
    }
  }

  /** To run it beside others would be wrong, and how large a node is, is not known here. */
  private void exclusive() {
    throw new IllegalArgumentException(
        "a job has no node for itself here: ask for all that one has, as --cpus-per-task=16"
            + " --gpus=4, and leave --exclusive out");
  }

  private void licenses(String value) {
    if (value.indexOf('|') >= 0 || value.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "'" + value + "' is not known here: write names and numbers, as lic:2,other");
    }
    for (String item : value.split(",")) {
      String[] parts = item.split("[:=]", 2);
      putIfKnown("--resource", "licenses", parts[0] + "=" + (parts.length > 1 ? parts[1] : "1"));
    }
  }

  private void openMode(String value) {
    if (!value.matches("a|append|t|truncate")) {
      throw new IllegalArgumentException("'" + value + "' is neither append nor truncate");
    }
    if (!usualFile && sbatch.value("output") == null && sbatch.value("error") == null) {
      notes.add("--open-mode is for the files of --output and --error, and none is given");
      return;
    }
    putIfKnown("--open-mode", "open-mode", value.startsWith("a") ? "append" : "truncate");
  }

  private void mem(String name, long mebibytes) {
    if (mebibytes == 0) {
      ignore(name, "0");
    } else {
      options.put("--mem", List.of(mebibytes + "MiB"));
    }
  }

  private long gpus() {
    for (String name : List.of("gpus-per-task", "gres", "gpus", "gpus-per-node")) {
      if (sbatch.value(name) != null) {
        long stated = Long.parseLong("0" + sbatch.value(name).replaceFirst("^.*?(\\d*)$", "$1"));
        return stated * times(name);
      }
    }
    return 0;
  }

  /** Returns how many times an option of GPUs counts. */
  private long times(String name) {
    return switch (name) {
      case "gpus-per-task" -> tasks();
      case "gres", "gpus-per-node" -> nodes();
      default -> 1;
    };
  }

  private void devices(String name, String value) {
    long times = times(name);
    for (String item : value.split(",")) {
      String[] parts = item.split(":");
      int at = name.equals("gres") ? 1 : 0;
      boolean ofGpus = at == 0 || parts[0].equals("gpu");
      if (!ofGpus || parts.length > at + 2) {
        ignore(name, item);
        continue;
      }
      String last = parts.length > at ? parts[parts.length - 1] : "1";
      boolean counted = last.matches("\\d{1,9}");
      options.put("--gpus", List.of(Long.toString(times * (counted ? Long.parseLong(last) : 1))));
      String model = counted ? (parts.length > at + 1 ? parts[at] : null) : last;
      if (model != null) {
        options.put("--gpu-model", List.of(model));
      }
    }
  }

  private void file(String name, String value) {
    putIfKnown("--" + name, name, names.translated(value));
  }

  /** Reads dependencies that all count, between commas, or of which one does. */
  private void dependency(String value) {
    SlurmDependencies.of(value).forEach(this::put);
  }

  private void nice(String value) {
    String number = value.isEmpty() ? Integer.toString(USUAL_NICE) : value;
    if (!number.matches("-?\\d{1,9}")) {
      throw new IllegalArgumentException("'" + value + "' is no number");
    }
    put("--priority", Integer.toString(-Integer.parseInt(number)));
  }

  private void signal(SbatchSignal signal) {
    if (sbatch.value("time") == null || SlurmQuantities.time(sbatch.value("time")).isEmpty()) {
      notes.add("without --time there is no end to warn of, and --signal is ignored");
      return;
    }
    put("--signal", signal.option());
    if (!signal.shell() && script.trapped().contains(signal.name())) {
      notes.add(
          "as in Slurm, --signal without B: is not for the script's own trap: write --signal=B:"
              + signal.name()
              + "@"
              + signal.seconds());
    }
  }

  /** Returns what the script has of the environment of the shell that submits it. */
  SbatchExport export() {
    return SbatchExport.of(sbatch.value("export") == null ? "ALL" : sbatch.value("export"));
  }

  /** Returns whether sbatch would return only when the job has ended. */
  boolean waits() {
    return sbatch.value("wait") != null;
  }

  private void constraint(String value) {
    SbatchConstraint asked = SbatchConstraint.of(value);
    asked.labels().forEach(label -> put("--label", label));
    asked
        .models()
        .filter(models -> gpus() > 0)
        .ifPresent(m -> options.put("--gpu-model", List.of(m)));
    asked.note(gpus() > 0).ifPresent(notes::add);
  }

  private void array(String value) {
    String[] parts = value.split("%", 3); // Slurm takes no notice of a third part
    if (!known.contains("--array")) {
      ignore("array");
      return;
    }
    put("--array", parts[0].isEmpty() && parts.length > 1 ? "0" : SlurmLists.indices(parts[0]));
    if (parts.length > 1 && !parts[1].matches("0*")) {
      put("--max-running", parts[1]);
    }
  }

  private void each(String option, String name, String value) {
    for (String node : SlurmLists.nodes(value)) {
      putIfKnown(option, name, node);
    }
  }

  /** Returns the script whose options these are. */
  JobScript script() {
    return script;
  }
}
