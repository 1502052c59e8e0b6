package io.remuda.coordinator.service;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a task has said in a file of its own: which of its attempts began, lived and ended, in the
 * order in which that happened. While it lives, every process of it holds a lock, so that an
 * attempt that begins meanwhile says so.
 *
 * @param lines each has what happened, the task, the attempt and the process
 */
record TaskLines(String task, List<Line> lines) {

  /**
   * The program of the tasks: {@code task.sh TICKS PAUSE CODE SHED}. It sheds the marks in its
   * environment, as sudo or a container's start do, and besides its session, and besides its
   * leader.
   */
  private static final String PROGRAM =
      """
      bare="env -i PATH=$PATH REMUDA_TASK=$REMUDA_TASK REMUDA_ATTEMPT=$REMUDA_ATTEMPT"
      case $4 in
        bare) exec $bare /bin/sh task.sh $1 $2 $3 plain ;;
        session) exec $bare setsid -w /bin/sh task.sh $1 $2 $3 plain ;;
        daemon)
          over=over/$REMUDA_TASK.$REMUDA_ATTEMPT
          ($bare setsid sh -c "/bin/sh task.sh $1 $2 $3 plain; : > $over" </dev/null &)
          until [ -e $over ]; do sleep 0.05; done
          exit $3 ;;
      esac
      say() { echo "$1 $REMUDA_TASK $REMUDA_ATTEMPT $$" >> lines/$REMUDA_TASK; }
      exec 9>locks/$REMUDA_TASK
      flock -n 9 || say double
      say start
      i=0
      while [ $i -lt $1 ]; do sleep $2; say tick; i=$((i + 1)); done
      say end
      exit $3
      """;

  /** Ways to shed marks; half of the tasks keep theirs. */
  static final List<String> SHEDDING =
      List.of("plain", "plain", "plain", "bare", "session", "daemon");

  /** How the command of a task begins. */
  static final String COMMAND = "/bin/sh task.sh ";

  record Line(String what, int attempt, long pid) {}

  /** Puts the program and its folders into the folder in which the tasks run. */
  static void prepare(Path folder) throws IOException {
    Files.writeString(folder.resolve("task.sh"), PROGRAM);
    Files.createDirectories(folder.resolve("lines"));
    Files.createDirectories(folder.resolve("locks"));
    Files.createDirectories(folder.resolve("over"));
  }

  /** Processes that hold a lock of a task, which one of their environment alone would not find. */
  static List<Long> living(Path folder) throws IOException {
    String locks = folder.toRealPath().resolve("locks") + "/";
    List<Long> pids = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (holds(process.resolve("fd/9"), locks)) {
          pids.add(Long.valueOf(process.getFileName().toString()));
        }
      }
    }
    return pids;
  }

  private static boolean holds(Path descriptor, String locks) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith(locks);
    } catch (IOException none) {
      return false;
    }
  }

  /** What a task has said so far. */
  static TaskLines read(Path folder, String task) throws IOException {
    List<Line> lines = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(folder.resolve("lines").resolve(task))) {
        String[] words = line.split(" ");
        lines.add(new Line(words[0], Integer.parseInt(words[2]), Long.parseLong(words[3])));
      }
    } catch (NoSuchFileException nothing) {
      // it has never run
    }
    return new TaskLines(task, lines);
  }

  boolean hasRun() {
    return !lines.isEmpty();
  }

  /** Whether an attempt came to the end of its program. */
  boolean hasEnded(int attempt) {
    return lines.stream().anyMatch(line -> line.what().equals("end") && line.attempt() == attempt);
  }

  /** How many attempts have run. */
  int attempts() {
    return (int) lines.stream().mapToInt(Line::attempt).distinct().count();
  }

  /** What must not be: two at once, the same attempt twice, one attempt after a later one. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    Map<Integer, Long> pids = new HashMap<>();
    int newest = 0;
    for (Line line : lines) {
      if (line.what().equals("double")) {
        faults.add(task + ": attempt " + line.attempt() + " began while another lived");
      }
      if (line.attempt() < newest) {
        faults.add(task + ": attempt " + line.attempt() + " lived when " + newest + " had begun");
      }
      newest = Math.max(newest, line.attempt());
      if (pids.putIfAbsent(line.attempt(), line.pid()) != null
          && pids.get(line.attempt()) != line.pid()) {
        faults.add(task + ": attempt " + line.attempt() + " ran twice");
      }
    }
    return faults;
  }
}
