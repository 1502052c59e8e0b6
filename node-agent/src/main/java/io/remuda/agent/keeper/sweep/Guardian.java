package io.remuda.agent.keeper.sweep;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.remuda.agent.keeper.proc.CStrings;
import io.remuda.agent.keeper.proc.Errno;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.proc.Signaller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that outlives its keeper and kills what the keeper leaves, even without an agent. It
 * waits for a line or the end of a pipe whose other end only the keeper holds. At the end of the
 * pipe it first kills by the mark in the limits, which takes milliseconds and no memory, and then
 * runs {@link SweepMain}; it repeats both for about a minute until nothing is left.
 *
 * <p>It touches only processes of this keeper, so it does not disturb a new keeper that does the
 * same. One thread at a time, except {@link #pid} and {@link #isThere}.
 */
public final class Guardian {
  private static final String SHELL = "/bin/sh";

  /** The shell script; {@code $0} is the pattern of the processes, the arguments are the sweep. */
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

  /** The line for the orderly end of the keeper. */
  private static final String NOTHING_LEFT = "end\n";

  private static final int ENOUGH_BYTES = 512;
  private static final long END_MILLIS = 500;
  private static final int MOST_FAILURES = 6;

  private final RlimitProcessMark limit;
  private final List<String> argv;
  private volatile ProcStat shell;
  private int pipe = -1;
  private boolean ended;
  private int tries;
  private int failures;

  /**
   * @param number of the keeper
   * @param limit of the keeper's process; no other thread may use it during {@link #ensure}
   */
  public Guardian(Path nodeFolder, long number, RlimitProcessMark limit) {
    this.limit = limit;
    argv = new ArrayList<>(List.of(SHELL, "-c", SCRIPT, RlimitProcessMark.pattern(number)));
    argv.addAll(sweep(nodeFolder));
  }

  /** Returns this JVM's command with {@link SweepMain} as main class; {@code true} if unknown. */
  private static List<String> sweep(Path nodeFolder) {
    List<String> command = new ArrayList<>();
    try {
      String line = Files.readString(Path.of("/proc/self/cmdline"));
      for (String argument : line.split("\0")) {
        if (argument.equals(KeeperProcessHandle.MAIN_CLASS)) {
          command.add(SweepMain.class.getName());
          command.add(nodeFolder.toString());
          command.set(0, Path.of(System.getProperty("java.home"), "bin/java").toString());
          return command;
        }
        command.add(argument);
      }
    } catch (IOException unreadable) {
      KeeperLog.line("keeper: its guardian will not run the sweep: " + unreadable);
    }
    return List.of("true");
  }

  /** Returns its pid, or 0. Any thread. */
  public int pid() {
    ProcStat known = shell;
    return known == null ? 0 : known.pid();
  }

  /** Returns whether it is alive; continues it if it was stopped. Any thread. */
  public boolean isThere() {
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

  /** Starts it unless it is alive. After failures, tries only every 2nd, 4th, ... 64th call. */
  public void ensure() {
    boolean now = tries++ % (1 << Math.min(failures, MOST_FAILURES)) == 0;
    if (ended || !now || isThere()) {
      return;
    }
    if (shell != null) {
      KeeperLog.line(
          "keeper: its guardian (pid " + shell.pid() + ") is gone, starting another one");
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
      sayThatNothingIsLeft(); // in case the previous one still lives
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

  /** Tells it that nothing is left, and waits up to {@value #END_MILLIS} ms for its end. */
  public void dismiss() throws InterruptedException {
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
