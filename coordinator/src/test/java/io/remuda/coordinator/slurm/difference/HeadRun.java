package io.remuda.coordinator.slurm.difference;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One script on one side: its folder, its submission, and what it left. One thread. */
final class HeadRun {

  /** Variables that are compared. */
  private static final Pattern VARIABLES =
      Pattern.compile(
          "(?:SLURM|SLURMD|SBATCH|SRUN)_\\w+|\\w+_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL|ZE_AFFINITY_MASK"
              + "|OMP_NUM_THREADS|ENVIRONMENT|TMPDIR|HOSTNAME|HYDRA_LAUNCHER|I_MPI_HYDRA_BOOTSTRAP"
              + "|CHOSEN_\\w*");

  private static final Pattern ARRAY = Pattern.compile("#SBATCH.*\\s(-a|--array)[ =\\d].*");

  /** The child process: it writes what it sees to a file of its own. */
  private static final String PROBE =
      """
      #!/bin/sh
      task=${SLURM_ARRAY_TASK_ID:--}
      file=@TASKS@/$task+${SLURM_RESTART_COUNT:-0}+${SLURM_STEP_ID:-}+${SLURM_STEP_ID:+$SLURM_PROCID}
      { env; echo "=folder=$PWD"; echo "=umask=$(umask)"; } > "$file.$$" && mv "$file.$$" "$file"
      """;

  private static final String STARTED = "started";
  private static final String SIGNALLED = "signalled";

  final SbatchHead head;
  private final BatchSystem system;
  private final Path work;
  private final Path tasks;
  private BatchSystem.Submission submission;
  private boolean acted;

  /**
   * @param folder of all runs on this side
   */
  HeadRun(SbatchHead head, BatchSystem system, Path folder) throws IOException {
    this.head = head;
    this.system = system;
    this.work = Files.createDirectories(folder.resolve(head.name()));
    this.tasks = Files.createDirectories(folder.resolve(head.name() + ".tasks"));
  }

  /**
   * Submits it.
   *
   * @param earlier runs on this side, by the names of their heads, whose numbers it may name
   */
  void submit(Map<String, HeadRun> earlier) throws IOException {
    Path probe = tasks.resolveSibling(head.name() + ".probe");
    executable(probe, PROBE.replace("@TASKS@", tasks.toString()));
    String text = String.join("\n", head.lines()) + "\n";
    text = text.replace("@PROBE@", probe.toString()).replace("@WORK@", work.toString());
    for (Map.Entry<String, HeadRun> one : earlier.entrySet()) {
      text = text.replace("@ID:" + one.getKey() + "@", "" + one.getValue().number().orElse(0L));
    }
    String[] file = head.wishes().getOrDefault("file", "").split(" ", 2);
    if (file.length > 1) {
      Files.writeString(work.resolve(file[0]), file[1] + "\n");
    }
    if (head.wishes("folder")) {
      Files.createDirectories(work.resolve(head.wishes().get("folder")));
    }
    Path script = tasks.resolveSibling(head.name() + ".sh");
    executable(script, text);
    submission = system.submit(work, script, head.wishes("stdin"));
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Optional<Long> number() {
    return submission.number();
  }

  String said() {
    return submission.said();
  }

  Path work() {
    return work;
  }

  /** Does once what its head wishes, when its script has begun; returns whether all is done. */
  boolean act() throws IOException {
    boolean wishes = head.wishes("requeue") || head.wishes("signal");
    if (wishes && !acted && number().isPresent()) {
      if (!Files.exists(work.resolve(STARTED))) {
        return false;
      }
      acted = true;
      if (head.wishes("requeue")) {
        system.requeue(number().get());
      } else {
        system.signal(number().get(), head.wishes().get("signal"));
        Files.createFile(work.resolve(SIGNALLED));
      }
    }
    return true;
  }

  /** Returns all that it left, as it is. */
  Map<Aspect, String> outcome() throws IOException {
    Map<Aspect, String> all = new TreeMap<>();
    all.put(new Aspect(Aspect.Kind.ACCEPTED, "", ""), number().isPresent() ? "yes" : "no");
    if (number().isEmpty()) {
      return all;
    }
    boolean array = head.lines().stream().anyMatch(line -> ARRAY.matcher(line).matches());
    system
        .ends(number().get(), array)
        .forEach((task, end) -> all.put(new Aspect(Aspect.Kind.EXIT, task, ""), end));
    List<String> numbers = new ArrayList<>();
    for (Path file : files(tasks)) {
      String task = file.getFileName().toString();
      List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
      lines.forEach(line -> add(task, line, all));
      if (task.endsWith("+0++")) {
        numbers.add(all.get(new Aspect(Aspect.Kind.VARIABLE, task, "SLURM_JOB_ID")));
      }
    }
    boolean distinct = numbers.stream().distinct().count() == numbers.size();
    all.put(new Aspect(Aspect.Kind.NUMBERS, "", ""), distinct ? "distinct" : "shared");
    for (Path file : files(work)) {
      all.put(
          new Aspect(Aspect.Kind.FILE, "", work.relativize(file).toString()),
          Files.readString(file));
    }
    return all;
  }

  private static void add(String task, String line, Map<Aspect, String> all) {
    Aspect.Kind kind = line.startsWith("=") ? Aspect.Kind.PROCESS : Aspect.Kind.VARIABLE;
    String[] parts = line.replaceFirst("^=", "").split("=", 2);
    if (parts.length > 1
        && (kind == Aspect.Kind.PROCESS || VARIABLES.matcher(parts[0]).matches())) {
      all.put(new Aspect(kind, task, parts[0]), parts[1]);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /**
   * Returns what this run left in the words of another one: numbers of jobs and tasks, folders and
   * the name of the machine are replaced by those that the other one has for the same.
   *
   * @param numbers of jobs here and there
   * @param host the name of this run's machine
   */
  Map<Aspect, String> outcomeAs(
      HeadRun other, Map<Aspect, String> others, Map<String, String> numbers, String host)
      throws IOException {
    Map<Aspect, String> own = outcome();
    Map<String, String> words = new LinkedHashMap<>();
    own.forEach(
        (aspect, value) -> {
          if (aspect.kind() == Aspect.Kind.VARIABLE
              && aspect.name().matches("SLURM_(ARRAY_)?JOB_ID")
              && others.containsKey(aspect)) {
            words.putIfAbsent(value, others.get(aspect));
          }
        });
    numbers.forEach(words::putIfAbsent);
    words.put(work.toString(), other.work.toString());
    words.put(tasks.getParent().toString(), other.tasks.getParent().toString());
    Map<Aspect, String> all = new TreeMap<>();
    own.forEach(
        (aspect, value) -> {
          Aspect same = new Aspect(aspect.kind(), aspect.of(), replaced(aspect.name(), words));
          String text = replaced(value, words);
          Aspect node = new Aspect(Aspect.Kind.VARIABLE, aspect.of(), "SLURMD_NODENAME");
          boolean onHost = text.equals(host) && others.containsKey(node);
          all.put(same, onHost && !aspect.name().endsWith("_HOST") ? others.get(node) : text);
        });
    return all;
  }

  private static String replaced(String text, Map<String, String> words) {
    String all = text;
    for (Map.Entry<String, String> word : words.entrySet()) {
      String plain = "(?<!\\d)(0*)" + Pattern.quote(word.getKey()) + "(?!\\d)";
      all = all.replaceAll(plain, "$1\0" + word.getValue()); // so that no word is replaced twice
    }
    return all.replace("\0", "");
  }
}
