package io.remuda.agent.keeper.program;

import com.sun.jna.Pointer;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.limit.SharedMemorySegments;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.CStrings;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.protocol.KeeperServer;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.keeper.task.Keeper;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The keeper's process: {@code KeeperMain NODE_FOLDER [IDLE_EXIT_MILLIS]}.
 *
 * <p>Exit codes: 0 told to end or idle, 1 a fault, 2 wrong arguments or an unusable folder, 3
 * another keeper serves the folder, 143 ended by SIGTERM, after its tasks.
 */
public final class KeeperMain {
  /** The environment variable for the idle time in ms, used without a second argument. */
  public static final String IDLE_EXIT_VARIABLE = "REMUDA_KEEPER_IDLE_EXIT_MS";

  static final long DEFAULT_IDLE_EXIT_MILLIS = 8000;
  static final int EXIT_FAULT = 1;
  static final int EXIT_USAGE = 2;
  static final int EXIT_SECOND_KEEPER = 3;

  /** Added to the longest grace of the tasks at SIGTERM, for those that do not die. */
  private static final long STUCK_MILLIS = 5000;

  /** Time for the sweep at the start; short, since the agent has swept and knows what stays. */
  private static final long SWEEP_MILLIS = 300;

  private static final long LONGEST_GRACE_MILLIS = 600_000;

  private KeeperMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    NonblockingOutputStream.install(); // the log's disk may hang
    KeeperFolder folder;
    long idleExitMillis;
    try {
      folder = new KeeperFolder(Path.of(args.length > 0 ? args[0] : ""));
      idleExitMillis = idleExitMillis(args);
      if (args.length == 0) {
        throw new IllegalArgumentException("usage: KeeperMain NODE_FOLDER [IDLE_EXIT_MILLIS]");
      }
      folder.requireShort();
      folder.prepare();
    } catch (IOException | IllegalArgumentException wrong) {
      KeeperLog.line("keeper: " + wrong.getMessage());
      System.exit(EXIT_USAGE);
      return;
    }
    leaveTerminal();
    if (!folder.lockForLife()) {
      KeeperLog.line(
          "keeper: another keeper (pid " + folder.pidText() + ") serves " + folder.path());
      System.exit(EXIT_SECOND_KEEPER);
    }
    try {
      serve(folder, idleExitMillis);
    } catch (IOException fault) {
      KeeperLog.line("keeper: " + fault.getMessage());
      System.exit(EXIT_FAULT);
    }
    System.exit(0);
  }

  private static void serve(KeeperFolder folder, long idleExitMillis)
      throws IOException, InterruptedException {
    Posix.prctl(Posix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    ProcStat self = ProcFiles.stat(Posix.getpid());
    folder.writePid(self);
    OrphanSweep.end(folder.path(), "", SWEEP_MILLIS); // before any task starts
    Path locks = DeviceLocks.folder(System.getenv());
    SharedMemorySegments segments = SharedMemorySegments.here(System.getenv());
    Keeper keeper =
        new Keeper(BootClock.system(), locks, self, folder.path(), segments, idleExitMillis);
    KeeperServer server = KeeperServer.open(keeper, folder.socket());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> endTasks(keeper), "end"));
    keeper.start(server::exited);
    server.start();
    while (!keeper.awaitEnd(Long.MAX_VALUE)) {
      continue;
    }
    server.close();
    keeper.leave();
  }

  /** Ends the tasks at SIGTERM; when the keeper ends by itself there are none. */
  private static void endTasks(Keeper keeper) {
    keeper.shutdown(LONGEST_GRACE_MILLIS);
    long longest = keeper.longestGrace();
    try {
      if (!keeper.awaitEnd(longest + STUCK_MILLIS)) {
        KeeperLog.line("keeper: ends although tasks are still alive: " + keeper.list());
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private static void leaveTerminal() {
    Posix.setsid(); // fails only if this process leads a session already
    Pointer ignore = Pointer.createConstant(1);
    Posix.signal(Posix.SIGINT, ignore);
    Posix.signal(Posix.SIGHUP, ignore);
    int nothing = Posix.open(CStrings.of("/dev/null"), Posix.O_RDWR, 0);
    if (nothing > 0) {
      Posix.dup2(nothing, 0);
      Posix.close(nothing);
    }
    Posix.chdir(CStrings.of("/")); // keeps no file system busy
  }

  private static long idleExitMillis(String[] args) {
    String text = args.length > 1 ? args[1] : System.getenv(IDLE_EXIT_VARIABLE);
    long millis = text == null ? DEFAULT_IDLE_EXIT_MILLIS : Long.parseLong(text);
    if (millis < 0) {
      throw new IllegalArgumentException("idle exit: negative: " + text);
    }
    return millis;
  }
}
