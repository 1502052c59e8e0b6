package io.remuda.agent.keeper;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that outlives its keeper and ends what the keeper has left, also when no agent is there
 * to do so. It waits for a line or the end of a pipe whose other end the keeper alone holds. At the
 * end of the pipe it first kills by the mark in the limits, which takes milliseconds and no memory,
 * and then lets {@link SweepMain} look for the rest until nothing is left.
 *
 * <p>It touches what belongs to this one keeper only, so that it is in nobody's way when a new
 * keeper does the same. One thread at a time, but {@link #pid} and {@link #isThere}.
 */
final class Guardian {
  private static final String SHELL = "/bin/sh";

  /** Its name is the pattern by which it finds processes, its arguments are the sweep. */
  private static final String SCRIPT =
      """
      read -r word && exit
      for pause in 1 1 2 5 10 20 30; do
        for one in $(grep -ls "$0" /proc/[0-9]*/limits); do
          one=${one#/proc/}
          kill -KILL "${one%/limits}"
        done
        "$@" && exit
        sleep $pause
      done
      """;

  /** At its keeper's orderly end. */
  private static final String NOTHING_LEFT = "end\n";

  private static final int ENOUGH_BYTES = 512;
  private static final long END_MILLIS = 500;
  private static final int MOST_FAILURES = 6;

  private final LockLimit limit;
  private final List<String> argv;
  private volatile ProcStat shell;
  private int pipe = -1;
  private boolean ended;
  private int tries;
  private int failures;

  /**
   * None is started yet.
   *
   * @param number of the keeper
   * @param limit is that of the keeper itself whenever {@link #ensure} is called
   */
  Guardian(Path nodeFolder, long number, LockLimit limit) {
    this.limit = limit;
    argv = new ArrayList<>(List.of(SHELL, "-c", SCRIPT, LockLimit.pattern(number)));
    argv.addAll(sweep(nodeFolder));
  }

  /** This JVM again, with another main class. */
  private static List<String> sweep(Path nodeFolder) {
    List<String> command = new ArrayList<>();
    try {
      String line = Files.readString(Path.of("/proc/self/cmdline"));
      for (String argument : line.split("\0")) {
        if (argument.equals(KeeperMain.class.getName())) {
          command.add(SweepMain.class.getName());
          command.add(nodeFolder.toString());
          command.set(0, Path.of(System.getProperty("java.home"), "bin/java").toString());
          return command;
        }
        command.add(argument);
      }
    } catch (IOException unreadable) {
      KeeperLog.line("keeper: its guardian will not look twice: " + unreadable);
    }
    return List.of("true");
  }

  /** Its number, or 0. Any thread. */
  int pid() {
    ProcStat known = shell;
    return known == null ? 0 : known.pid();
  }

  /** Whether it is there; has it go on if it was stopped. Any thread. */
  boolean isThere() {
    ProcStat known = shell;
    if (known == null || !ProcFiles.isThere(known)) {
      return false;
    }
    ProcStat now = ProcFiles.stat(known.pid());
    if (now != null && now.state() == 'T') {
      Signaller.send(now, Posix.SIGCONT);
    }
    return true;
  }

  /** Starts it unless it is there. */
  void ensure() {
    boolean now = tries++ % (1 << Math.min(failures, MOST_FAILURES)) == 0; // ever more seldom
    if (ended || !now || isThere()) {
      return;
    }
    if (shell != null) {
      KeeperLog.line(
          "keeper: its guardian (pid " + shell.pid() + ") is gone, another one is started");
    }
    failures = start() ? 0 : failures + 1;
  }

  private boolean start() {
    int[] ends = new int[2];
    if (Posix.pipe2(ends, Posix.O_CLOEXEC) != 0) {
      KeeperLog.line("keeper: no pipe to its guardian: " + Errno.text(Posix.errno()));
      return false;
    }
    limit.next(0);
    int pid = spawn(ends[0]);
    Posix.close(ends[0]);
    if (pid <= 0) {
      Posix.close(ends[1]);
      return false;
    }
    if (pipe >= 0) {
      sayThatNothingIsLeft(); // should the one before live after all
      Posix.close(pipe);
    }
    pipe = ends[1];
    shell = ProcFiles.stat(pid);
    return true;
  }

  private int spawn(int input) {
    try (Memory words = CStrings.array(argv);
        Memory variables = CStrings.array(List.of("PATH=/usr/bin:/bin", "LC_ALL=C"));
        Memory actions = new Memory(ENOUGH_BYTES);
        Memory attributes = new Memory(ENOUGH_BYTES)) {
      Posix.posix_spawn_file_actions_init(actions);
      Posix.posix_spawnattr_init(attributes);
      try {
        Posix.posix_spawn_file_actions_adddup2(actions, input, 0);
        Posix.addCloseFrom(actions, 3);
        Posix.posix_spawnattr_setflags(attributes, Posix.POSIX_SPAWN_SETSID);
        return spawn(actions, attributes, words, variables);
      } finally {
        Posix.posix_spawnattr_destroy(attributes);
        Posix.posix_spawn_file_actions_destroy(actions);
      }
    }
  }

  private static int spawn(Pointer actions, Pointer attributes, Memory words, Memory variables) {
    byte[] pid = new byte[4];
    int error = Posix.posix_spawn(pid, CStrings.of(SHELL), actions, attributes, words, variables);
    if (error != 0) {
      KeeperLog.line("keeper: no guardian: cannot start " + SHELL + ": " + Errno.text(error));
      return 0;
    }
    return ByteBuffer.wrap(pid).order(ByteOrder.nativeOrder()).getInt();
  }

  private void sayThatNothingIsLeft() {
    byte[] word = NOTHING_LEFT.getBytes(StandardCharsets.US_ASCII);
    Posix.write(pipe, word, word.length);
  }

  /** The keeper ends and leaves nothing: so does its guardian. */
  void dismiss() throws InterruptedException {
    ended = true;
    if (pipe >= 0) {
      sayThatNothingIsLeft();
      Posix.close(pipe);
    }
    long deadline = System.nanoTime() + END_MILLIS * 1_000_000;
    while (shell != null && ProcFiles.isThere(shell) && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
  }
}
