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

  /** The program of the tasks: {@code task.sh TICKS PAUSE CODE}. */
  private static final String PROGRAM =
      """
      say() { echo "$1 $REMUDA_TASK $REMUDA_ATTEMPT $$" >> lines/$REMUDA_TASK; }
      exec 9>locks/$REMUDA_TASK
      flock -n 9 || say double
      say start
      i=0
      while [ $i -lt $1 ]; do sleep $2; say tick; i=$((i + 1)); done
      say end
      exit $3
      """;

  /**
   * These lines in a process that sheds its marks: {@code shed.sh HOW TICKS PAUSE CODE}. Where that
   * is a daemon, the task waits for its code.
   */
  private static final String SHEDDING =
      """
      how=$1
      shift
      code=codes/$REMUDA_TASK.$REMUDA_ATTEMPT
      own="env -i PATH=$PATH REMUDA_TASK=$REMUDA_TASK REMUDA_ATTEMPT=$REMUDA_ATTEMPT"
      daemon='/bin/sh task.sh "$@"; echo $? > "$0"'
      case $how in
        environment) exec $own /bin/sh task.sh "$@" ;;
        session) exec $own setsid -w /bin/sh task.sh "$@" ;;
        limits) exec prlimit --locks=7:7 $own /bin/sh task.sh "$@" ;;
        daemon) ($own setsid /bin/sh -c "$daemon" $code "$@" < /dev/null > /dev/null 2>&1 3>&- &) ;;
        orphan) ($own setsid /bin/sh -c "$daemon" $code "$@" &) ;;
      esac
      until [ -s $code ]; do sleep 0.05; done
      exit $(cat $code)
      """;

  /** How the command of a task begins. */
  static final String COMMAND = "/bin/sh task.sh ";

  /** The command of a member of a gang. */
  static final String GANG_COMMAND = "/bin/sh gang.sh";

  /** How that of one begins that sheds what it is known by; one of {@link #HOWS} follows. */
  static final String SHEDDING_COMMAND = "/bin/sh shed.sh ";

  static final List<String> HOWS = List.of("environment", "session", "limits", "daemon", "orphan");

  record Line(String what, int attempt, long pid) {}

  /** Puts the program and its folders into the folder in which the tasks run. */
  static void prepare(Path folder) throws IOException {
    Files.writeString(folder.resolve("task.sh"), PROGRAM);
    Files.writeString(folder.resolve("shed.sh"), SHEDDING);
    Files.createDirectories(folder.resolve("codes"));
    Files.createDirectories(folder.resolve("lines"));
    Files.createDirectories(folder.resolve("locks"));
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

  /** The living processes that run in the folder of the tasks, whatever they have shed. */
  static List<Long> living(Path folder) throws IOException {
    List<Long> living = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (isIn(process, folder)) {
          living.add(Long.parseLong(process.getFileName().toString()));
        }
      }
    }
    return living;
  }

  private static boolean isIn(Path process, Path folder) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).equals(folder.toRealPath());
    } catch (IOException gone) {
      return false;
    }
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
