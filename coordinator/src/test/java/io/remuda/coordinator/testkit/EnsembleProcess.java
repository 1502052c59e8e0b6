package io.remuda.coordinator.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One run of the program as a process of its own. What it prints is kept with times; whatever it
 * starts carries a mark in its environment and is found, and ended on {@link #close}, by that.
 */
public final class EnsembleProcess implements AutoCloseable {

  private static final String MARK = "REMUDA_TEST_MARK";
  private static final List<String> NOT_INHERITED =
      List.of("REMUDA_", "MNIST_DIR", "SLURM_", "CUDA_VISIBLE_DEVICES");
  private static final long LOOK_MILLIS = 20;

  /** Looks for processes are dear: they get a fifth of a core, not one whole that the run needs. */
  private static final long PAUSE_PER_LOOK = 4;

  /** A shell that runs tests in the background has SIGINT ignored, which JVMs keep to. */
  private static final List<String> HEEDING_INTERRUPTS = List.of("env", "--default-signal=INT");

  /**
   * A printed line.
   *
   * @param error whether it came on stderr
   * @param millis since the start of the process
   */
  public record Line(boolean error, long millis, String text) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%7.3f %s %s", millis / 1000.0, error ? "err" : "out", text);
    }
  }

  private final Path home;
  private final String mark;
  private final Process process;
  private final long startedAt;
  private final List<Line> lines = new ArrayList<>();
  private final List<Thread> readers;

  private EnsembleProcess(Path home, String mark, Process process, long startedAt) {
    this.home = home;
    this.mark = mark;
    this.process = process;
    this.startedAt = startedAt;
    this.readers =
        List.of(reader(process.getInputStream(), false), reader(process.getErrorStream(), true));
  }

  /**
   * Starts the program.
   *
   * @param home for {@code REMUDA_HOME}; its path is best short, for there are sockets below
   * @param environment added to, or in place of, what the tests were started with
   */
  public static EnsembleProcess start(
      Installation installation,
      Path home,
      Map<String, String> environment,
      List<String> arguments) {
    return startBy(List.of(), installation, home, environment, arguments);
  }

  /**
   * Starts the program by another one.
   *
   * @param starter a command such as {@code salloc} that runs the rest of its arguments
   */
  public static EnsembleProcess startBy(
      List<String> starter,
      Installation installation,
      Path home,
      Map<String, String> environment,
      List<String> arguments) {
    String mark = UUID.randomUUID().toString();
    List<String> command = new ArrayList<>(HEEDING_INTERRUPTS);
    command.addAll(starter);
    command.addAll(installation.command(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(EnsembleProcess::isOurs);
    builder.environment().put("REMUDA_HOME", home.toString());
    builder.environment().putAll(installation.variables());
    builder.environment().putAll(environment);
    builder.environment().put(MARK, mark);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try {
      long now = System.nanoTime();
      return new EnsembleProcess(home, mark, builder.start(), now);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static boolean isOurs(String variable) {
    return NOT_INHERITED.stream().anyMatch(variable::startsWith);
  }

  private Thread reader(InputStream stream, boolean error) {
    Thread thread = new Thread(() -> read(stream, error), error ? "stderr" : "stdout");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void read(InputStream stream, boolean error) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String text = in.readLine(); text != null; text = in.readLine()) {
        synchronized (lines) {
          lines.add(new Line(error, millis(), text));
        }
      }
    } catch (IOException closed) {
      // the process is gone
    }
  }

  /** Milliseconds since the start. */
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
  }

  /** All lines so far, in the order in which they came. */
  public List<Line> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /** The lines of standard output so far. */
  public List<String> out() {
    return lines().stream().filter(line -> !line.error()).map(Line::text).toList();
  }

  /** The lines of standard error so far. */
  public List<String> err() {
    return lines().stream().filter(Line::error).map(Line::text).toList();
  }

  /** Waits for a line, on either stream. */
  public Line awaitLine(String what, Predicate<String> wanted, Duration limit) {
    await(what, limit, () -> lines().stream().anyMatch(line -> wanted.test(line.text())));
    return lines().stream().filter(line -> wanted.test(line.text())).findFirst().orElseThrow();
  }

  /** Waits for a condition; fails with all that is known if it does not come true in time. */
  public void await(String what, Duration limit, BooleanSupplier condition) {
    long looked = System.nanoTime();
    long deadline = looked + limit.toNanos();
    while (!condition.getAsBoolean()) {
      long now = System.nanoTime();
      if (now > deadline) {
        throw new AssertionError("not within " + limit + ": " + what + "\n" + describe());
      }
      pause(Math.max(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(PAUSE_PER_LOOK * (now - looked))));
      looked = System.nanoTime();
    }
  }

  /** Waits for the coordinator's end and all of its lines. */
  public int awaitExit(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("did not end within " + limit + "\n" + describe());
      }
      for (Thread reader : readers) {
        reader.join(2000);
      }
      return process.exitValue();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", stop);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** All living processes of the run, the coordinator among them. */
  public List<Member> members() {
    return Member.withEntry(MARK + "=" + mark);
  }

  /** The living processes of one role. */
  public List<Member> members(Member.Role role) {
    return members().stream().filter(member -> member.role() == role).toList();
  }

  /** The coordinator, whether it lives or not. */
  public Member coordinator() {
    return new Member(process.pid(), Member.Role.COORDINATOR, "", "");
  }

  /** Waits until no process of the run lives, and says how many milliseconds that took. */
  public long awaitNothingLeft(Duration limit) {
    long from = System.nanoTime();
    await("nothing left of the run", limit, () -> members().isEmpty());
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
  }

  /** The folder of this run, once there is one. */
  public Path runFolder() {
    List<Path> runs = runFolders();
    if (runs.size() != 1) {
      throw new AssertionError("one run folder expected in " + home + ", there are " + runs);
    }
    return runs.get(0);
  }

  /** The folders of runs below this home. */
  public List<Path> runFolders() {
    Path runs = home.resolve("runs");
    if (!Files.isDirectory(runs)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(runs)) {
      return all.sorted().toList();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** What happened to nodes and tasks so far. */
  public EventLogFile events() {
    return EventLogFile.read(runFolder().resolve("events.jsonl"));
  }

  /** Everything there is to know, for a failed test. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    text.append(process.isAlive() ? "lives" : "exit code " + process.exitValue());
    text.append(" at ").append(millis()).append(" ms, processes ").append(members()).append('\n');
    lines().forEach(line -> text.append("  ").append(line).append('\n'));
    for (Path run : runFolders()) {
      append(text, run.resolve("events.jsonl"));
      appendLogs(text, run.resolve("nodes"));
    }
    return text.toString();
  }

  private static void appendLogs(StringBuilder text, Path nodes) {
    if (!Files.isDirectory(nodes)) {
      return;
    }
    try (Stream<Path> files = Files.walk(nodes)) {
      files
          .filter(file -> file.toString().endsWith(".log") || file.endsWith("err"))
          .sorted()
          .forEach(file -> append(text, file));
    } catch (IOException | UncheckedIOException fault) {
      text.append(fault).append('\n');
    }
  }

  private static void append(StringBuilder text, Path file) {
    try {
      String content = Files.readString(file);
      if (!content.isBlank()) {
        text.append("--- ").append(file).append('\n').append(content);
      }
    } catch (IOException unreadable) {
      text.append("--- ").append(unreadable).append('\n');
    }
  }

  /** Ends whatever is left of the run. */
  @Override
  public void close() {
    for (int round = 0; round < 100; round++) {
      List<Member> left = members();
      if (left.isEmpty()) {
        break;
      }
      left.forEach(member -> member.signal("KILL"));
      pause(LOOK_MILLIS);
    }
    process.destroyForcibly();
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", stop);
    }
  }
}
