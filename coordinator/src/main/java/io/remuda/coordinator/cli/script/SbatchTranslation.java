package io.remuda.coordinator.cli.script;

import io.remuda.agent.commandline.SimilarWords;
import io.remuda.coordinator.jobfield.NeedsRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Turns options of sbatch into options of Remuda; docs/scripts.md has the table. What has no
 * meaning here is collected by name. One use, one thread.
 */
final class SbatchTranslation {

  private static final int USUAL_NICE = 100;

  private final JobScript script;
  private final SbatchOptions sbatch;
  private final SbatchAmounts amounts;
  private final Set<String> known;
  private final SlurmFileNamePatterns names;
  private final boolean usualFile;
  private final UnaryOperator<String> given;
  private final Map<String, List<String>> options = new LinkedHashMap<>();
  private final Set<String> ignored = new TreeSet<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param known the long names of Remuda's options
   * @param names reads the names of files
   * @param usualFile whether the output goes to a file if nobody has chosen one
   * @param given returns the value of an option of Remuda that counts before the head's; null for
   *     none
   */
  SbatchTranslation(
      JobScript script,
      SbatchOptions sbatch,
      Set<String> known,
      SlurmFileNamePatterns names,
      boolean usualFile,
      UnaryOperator<String> given) {
    this.script = script;
    this.sbatch = sbatch;
    this.amounts = new SbatchAmounts(sbatch);
    this.known = known;
    this.names = names;
    this.usualFile = usualFile;
    this.given = given;
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
    oneOfMemory();
    if (amounts.areSeveral()) {
      options.putIfAbsent("--cpus", List.of(Long.toString(amounts.cpus())));
    }
    atLeast(amounts.number("mincpus"));
    atLeast(cpusOfGpus());
    memoryOfEach();
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
    if (amounts.tasks() > 1) {
      all.add(
          "the script runs once, on one node, with the "
              + options.get("--cpus").get(0)
              + " CPUs of its "
              + amounts.tasks()
              + " tasks, which it starts itself");
    }
    return all;
  }

  /** Returns variables of Slurm that follow from the options alone: a script is on one node. */
  Map<String, String> variables() {
    return SbatchStatedVariables.of(sbatch, amounts.tasks());
  }

  /** Returns how many tasks the script would start in Slurm, 1 or more. */
  long tasks() {
    return amounts.tasks();
  }

  /** Returns how many threads each task that the script starts may have; 0 for all CPUs. */
  int threads() {
    return amounts.tasks() > 1
        ? (int) Math.max(1, Long.parseLong(options.get("--cpus").get(0)) / amounts.tasks())
        : 0;
  }

  /** Follows the classes that jobs have here; others are names of an account. */
  private void qos(String name, String value) {
    if (NeedsRows.QOS.doc().words().contains(value)) {
      put("--qos", value);
    } else {
      unfollowed(name, value);
    }
  }

  private void translate(String name, String value) {
    switch (name) {
      case "job-name" -> put("--name", value);
      case "ntasks", "nodes", "ntasks-per-node", "cpus-per-task" -> cpus(name, value);
      case "ntasks-per-gpu" -> tasksOfGpus();
      case "cpus-per-gpu", "mincpus" -> amounts.number(name); // count once the other options have
      case "mem" -> mem(name, SlurmQuantities.mebibytes(value) * amounts.nodes());
      case "mem-per-cpu", "mem-per-gpu" -> SlurmQuantities.mebibytes(value); // counts at the end
      case "gres", "gpus", "gpus-per-task", "gpus-per-node" -> devices(name, value);
      case "time" -> SlurmQuantities.time(value).ifPresent(time -> put("--time-limit", time));
      case "output", "error" -> file(name, value);
      case "chdir" -> put("--workdir", value);
      case "comment" -> put("--comment", value);
      case "dependency" -> dependency(value);
      case "requeue" -> put("--preemptible");
      case "no-requeue" -> put("--retries", "0"); // also not with more memory
      case "overcommit" -> {} // the CPUs are counted with the tasks
      case "hold" -> put("--hold");
      case "nice" -> nice(value);
      case "priority" -> put("--priority", value);
      case "qos" -> qos(name, value);
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

  /** The script runs once, as in Slurm, with what all of its tasks need; here on one node. */
  private void cpus(String name, String value) {
    if (name.equals("nodes") && amounts.number(name) > 1 && sbatch.value("ntasks") != null) {
      ignore(name); // without ntasks it counts the tasks
    }
    if (!name.equals("nodes") && value.matches("0+")) {
      throw new IllegalArgumentException("it is at least 1, got '" + value + "'");
    }
    if (name.equals("cpus-per-task") && !amounts.areSeveral()) {
      options.put("--cpus", List.of(value)); // what is wrong with it is said by the option
    } else if (amounts.areSeveral()) {
      options.put("--cpus", List.of(Long.toString(amounts.cpus())));
    }
  }

  /** GPUs count the tasks, or tasks the GPUs. */
  private void tasksOfGpus() {
    long each = Math.max(1, amounts.number("ntasks-per-gpu"));
    if (amounts.gpus() == 0 && sbatch.value("ntasks") != null) {
      options.put("--gpus", List.of(Long.toString(amounts.tasks() / each)));
    } else if (amounts.gpus() == 0) {
      throw new IllegalArgumentException("it counts tasks by GPUs, and neither is given");
    } else if (amounts.tasks() > 1) {
      options.put("--cpus", List.of(Long.toString(amounts.cpus())));
    }
  }

  private void atLeast(long cpus) {
    String asked = options.getOrDefault("--cpus", List.of("1")).get(0);
    if (asked.matches("\\d{1,9}") && Long.parseLong(asked) < cpus) {
      options.put("--cpus", List.of(Long.toString(cpus)));
    }
  }

  private long cpusOfGpus() {
    if (sbatch.value("cpus-per-gpu") == null) {
      return 1;
    }
    if (gpus() > 0 && sbatch.value("cpus-per-task") == null) {
      return gpus() * amounts.number("cpus-per-gpu");
    }
    ignore("cpus-per-gpu");
    return 1;
  }

  /** Returns the GPUs of the job: those that somebody else asks for count before the head's. */
  private long gpus() {
    String chosen = given.apply("--gpus");
    return chosen == null || !chosen.matches("\\d{1,9}") ? amounts.gpus() : Long.parseLong(chosen);
  }

  /** Memory by CPUs and GPUs is that of all that the job has in the end. */
  private void memoryOfEach() {
    String chosen = given.apply("--cpus");
    String cpus = chosen == null ? options.getOrDefault("--cpus", List.of("1")).get(0) : chosen;
    amounts.memoryOfEach(cpus, gpus()).forEach(this::mem);
  }

  /** Refuses a head of which nobody could say how much memory it means, as sbatch does. */
  private void oneOfMemory() {
    List<String> given =
        Stream.of("mem", "mem-per-cpu", "mem-per-gpu")
            .filter(name -> sbatch.value(name) != null)
            .map(SbatchOptions::written)
            .toList();
    if (given.size() > 1) {
      throw new IllegalArgumentException(
          script.name() + ": " + String.join(" and ", given) + " exclude each other");
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

  private void devices(String name, String value) {
    SlurmGpus stated = SlurmGpus.of(name, value);
    stated.others().forEach(item -> ignore(name, item));
    if (stated.count() > 0) {
      options.put("--gpus", List.of(Long.toString(amounts.gpus())));
    }
    if (stated.model() != null) {
      options.put("--gpu-model", List.of(stated.model()));
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
      throw new IllegalArgumentException("'" + value + "' is not a number");
    }
    put("--priority", Integer.toString(-Integer.parseInt(number)));
  }

  private void signal(SbatchSignal signal) {
    boolean isLimited =
        given.apply("--time-limit") != null
            || sbatch.value("time") != null
                && SlurmQuantities.time(sbatch.value("time")).isPresent();
    if (!isLimited) {
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
