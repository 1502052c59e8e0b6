package io.remuda.agent.channel;

import com.sun.jna.Memory;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import io.remuda.agent.keeper.proc.SpawnedProcess;
import io.remuda.agent.keeper.proc.Spawner;
import io.remuda.agent.keeper.proc.StandardStreamFiles;
import io.remuda.agent.keeper.proc.ThreadAffinity;
import io.remuda.agent.keeper.sweep.MarkedProcessSweep;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.settings.ShellDroppedVariables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A shell, or another program, in a terminal beside a task: in its environment and folder, on its
 * devices and CPUs. It is a child of this process and no part of the task, but has the task's
 * marks, so that what it uses of devices counts as the task's. All that was started in it ends with
 * it, and it ends with the task.
 */
final class ShellChannel implements TaskChannel {

  /** The variable by which all that was started in a shell is found. */
  private static final String MARK = "REMUDA_SHELL";

  /** Between SIGHUP and SIGKILL. */
  private static final long GRACE_NANOS = Duration.ofSeconds(2).toNanos();

  private static final String SET_UMASK = "umask \"$1\" && shift && exec \"$@\"";
  private static final Path NOTHING = Path.of("/dev/null");
  private static final int SIGNAL_BASE = 128;

  private final TerminalPair terminal;
  private final int pid;
  private final String mark;
  private Integer exitCode;
  private boolean ending;
  private long endingSince;
  private boolean over;

  private ShellChannel(TerminalPair terminal, int pid, String mark) {
    this.terminal = terminal;
    this.pid = pid;
    this.mark = mark;
  }

  /**
   * Starts it.
   *
   * @param key of the task
   * @param ask has the command in place of a shell, and the size of the terminal
   * @param terminalType value of TERM
   * @param scratch existing folder in which a folder may be made for a moment
   * @throws IOException if it cannot be started; the message is for the user
   */
  static ShellChannel start(
      String key, ChannelExchangeRequest ask, String terminalType, Path scratch)
      throws IOException {
    AttachedShellEnvironment task = AttachedShellEnvironment.find(key);
    List<String> command = ask.command() == null ? List.of() : ask.command();
    TerminalPair terminal = TerminalPair.open();
    if (ask.rows() > 0 && ask.columns() > 0) {
      terminal.resize(ask.rows(), ask.columns());
    }
    String mark = UUID.randomUUID().toString();
    Path folder = Files.createTempDirectory(scratch, "shell");
    Path input = folder.resolve("in");
    try (ThreadAffinity bound = ThreadAffinity.to(task.cpus())) {
      Files.createSymbolicLink(input, terminal.path());
      Map<String, String> own = Map.of("TERM", terminalType, "PWD", task.folder(), MARK, mark);
      SpawnRequest request = request(key, task, argv(task, command), own, folder);
      return new ShellChannel(terminal, spawn(task, request).pid(), mark);
    } catch (IOException | RuntimeException failure) {
      terminal.hangUp();
      throw failure;
    } finally {
      Files.deleteIfExists(input);
      Files.deleteIfExists(folder);
    }
  }

  private static List<String> argv(AttachedShellEnvironment task, List<String> command) {
    List<String> argv =
        new ArrayList<>(
            List.of("/bin/sh", "-c", SET_UMASK, "remuda", Integer.toOctalString(task.umask())));
    List<String> words = command.isEmpty() ? List.of(task.shell()) : command;
    argv.addAll(ShellDroppedVariables.before(task.environment(), words));
    argv.addAll(words);
    return argv;
  }

  private static SpawnRequest request(
      String key,
      AttachedShellEnvironment task,
      List<String> argv,
      Map<String, String> own,
      Path folder) {
    return new SpawnRequest(
        key,
        new SpawnTemplate(argv, task.environment(), task.folder(), SpawnRequest.OWN_UMASK),
        own,
        NOTHING,
        NOTHING,
        folder,
        List.of(),
        0,
        0,
        0,
        0,
        0);
  }

  private static SpawnedProcess spawn(AttachedShellEnvironment task, SpawnRequest request)
      throws IOException {
    try (StandardStreamFiles streams = StandardStreamFiles.open(request)) {
      return new Spawner(task.keeper()).spawn(request, request.argv().get(0), streams, List.of());
    } catch (SpawnFailureException failure) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  @Override
  public int write(byte[] bytes, int from) throws IOException {
    return terminal.write(bytes, from);
  }

  @Override
  public void endInput() {
    // the end is a key, Ctrl-D
  }

  @Override
  public int read(byte[] into) throws IOException {
    if (over) {
      return ENDED;
    }
    boolean gone = exitCode != null; // before the last read
    int count = ending ? ENDED : terminal.read(into);
    if (count > 0) {
      return count;
    }
    if (gone || (ending && System.nanoTime() - endingSince > GRACE_NANOS)) {
      finish();
      return ENDED;
    }
    reap();
    return 0;
  }

  /** Asks for the exit code without waiting. */
  private void reap() {
    try (Memory status = new Memory(Integer.BYTES)) {
      if (exitCode == null && Posix.wait4(pid, status, Posix.WNOHANG, null) == pid) {
        int bits = status.getInt(0);
        int signal = bits & 0x7f;
        exitCode = signal == 0 ? bits >> 8 & 0xff : SIGNAL_BASE + signal;
      }
    }
  }

  /** Ends what is left of it. */
  private void finish() {
    over = true;
    terminal.hangUp();
    MarkedProcessSweep.kill(MARK, mark);
    reap();
  }

  @Override
  public int unread() {
    return 0; // not known
  }

  @Override
  public Integer exitCode() {
    return exitCode;
  }

  @Override
  public void resize(int rows, int columns) {
    terminal.resize(rows, columns);
  }

  @Override
  public void attemptEnded() {
    if (!ending) {
      ending = true;
      endingSince = System.nanoTime();
      terminal.hangUp();
    }
  }

  @Override
  public void close() {
    if (!over) {
      finish();
    }
  }
}
