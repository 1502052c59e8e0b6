package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.Tmux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code remuda run} in front of the commands of tools that start many: what they see and say is
 * what they would without it. No server runs before.
 */
class RunCommandIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String RUN = "remuda run --cpus 0.1 -- ";

  /**
   * A command that prints, makes a file and, as number 3 or 5, fails; each line says whose it is.
   */
  private static final String STEP =
      """
      echo "$1: started"
      echo "$1: a warning" >&2
      echo "made by $1" > f$1
      case $1 in
        3) echo "$1: goes wrong" >&2; exit 7 ;;
        5) seq -f "$1: line %g of many, the last of which says why" 9000; exit 200 ;;
      esac
      echo "$1: done"
      """;

  private static final String MAKEFILE =
      """
      all: whole never f1 f2 f3 f4 f5 f6 f7 f8
      f%: ; @$(RUN) sh step $*
      whole: f1 f2 ; @$(RUN) sh -c 'cat f1 f2 > whole; echo whole: put together'
      never: f3 ; @$(RUN) touch never
      """;

  private static final String DODO =
      """
      import os
      RUN = os.environ['RUN']
      DOIT_CONFIG = {'verbosity': 2}

      def task_part():
          for i in '123':
              yield {'name': i, 'file_dep': ['step'], 'targets': ['f' + i],
                     'actions': [RUN + 'sh step ' + i]}

      def task_whole():
          return {'file_dep': ['f1', 'f2'], 'targets': ['whole'],
                  'actions': [RUN + 'sh -c "cat f1 f2 > whole; echo whole: put together"']}
      """;

  @TempDir private static Path shared;
  private static ServiceProcess service;

  @TempDir private Path folder;

  /** The output of a tool, in an order that does not depend on timing, and the files it made. */
  private record Outcome(
      int code,
      Map<String, List<String>> out,
      Map<String, List<String>> err,
      Map<String, String> files) {}

  @BeforeAll
  static void prepare() {
    service = new ServiceProcess(Installation.find(), shared.resolve("h"), Map.of());
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** A folder with this file, for the tool without {@code remuda run} or with it. */
  private Path folder(String kind, String file, String content) throws IOException {
    Path own = Files.createDirectories(folder.resolve(kind));
    Files.writeString(own.resolve("step"), STEP);
    Files.writeString(own.resolve(file), content);
    return own;
  }

  private static Outcome outcome(Result result, Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.filter(path -> !isOfTheToolAlone(path)).toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return new Outcome(result.code(), bySpeaker(result.out()), bySpeaker(result.err()), files);
  }

  private static boolean isOfTheToolAlone(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(".doit") || name.startsWith("__");
  }

  /** Lines by the word before their colon; a command's in their order, all others sorted. */
  private static Map<String, List<String>> bySpeaker(String text) {
    Map<String, List<String>> lines = new TreeMap<>();
    text.replace(RUN, "")
        .lines()
        .forEach(line -> lines.computeIfAbsent(speaker(line), key -> new ArrayList<>()).add(line));
    lines.computeIfPresent("", (none, others) -> others.stream().sorted().toList());
    return lines;
  }

  private static String speaker(String line) {
    return line.matches("\\w+: .*") && !line.startsWith("make:") ? line.split(":")[0] : "";
  }

  @Test
  void make_with_eight_at_once_ends_and_says_the_same() throws Exception {
    Path plain = folder("plain", "Makefile", MAKEFILE);
    Path run = folder("run", "Makefile", MAKEFILE);
    Outcome expected = outcome(make(plain, ""), plain);
    assertEquals(expected, outcome(make(run, RUN), run));
    assertEquals(2, expected.code());
    assertEquals(9001, expected.out().get("5").size());
    String log = Files.readString(service.home().resolve("serve.log"));
    assertFalse(log.contains("another server"), "one is started for all: " + log);
  }

  private static Result make(Path folder, String run) throws IOException {
    return service.tool(
        "make", folder, Map.of("RUN", run), "make", "-k", "-j8", "--output-sync=target");
  }

  @Test
  void doit_ends_and_says_the_same_and_knows_afterwards_what_is_up_to_date() throws Exception {
    Path plain = folder("plain", "dodo.py", DODO);
    Path run = folder("run", "dodo.py", DODO);
    for (int round = 0; round < 2; round++) {
      Outcome expected = outcome(doit(plain, ""), plain);
      assertEquals(expected, outcome(doit(run, RUN), run));
      assertEquals(1, expected.code());
    }
  }

  private static Result doit(Path folder, String run) throws IOException {
    Map<String, String> more = Map.of("RUN", run, "PYTHONDONTWRITEBYTECODE", "1");
    return service.tool("python3-doit", folder, more, "doit", "-n", "3", "--continue");
  }

  @Test
  void parallel_ends_and_says_the_same_and_logs_the_same_exit_codes() throws Exception {
    Path plain = folder("plain", "home", "");
    Path run = folder("run", "home", "");
    Result expected = parallel(plain, "");
    assertEquals(expected, parallel(run, RUN));
    assertEquals(2, expected.code(), "as many as have failed");
    assertEquals(exitCodes(plain), exitCodes(run));
    assertEquals(List.of("0 0", "0 0", "7 0", "0 0", "200 0", "0 0"), exitCodes(plain));
  }

  private static Result parallel(Path folder, String run) throws IOException {
    return service.tool(
        "parallel",
        folder,
        Map.of("PARALLEL_HOME", folder.toString()),
        "parallel",
        "--will-cite",
        "--keep-order",
        "-j6",
        "--joblog",
        "log",
        run + "sh step {}",
        ":::",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6");
  }

  /** Exit code and signal of each command by its number, from parallel's own log. */
  private static List<String> exitCodes(Path folder) throws IOException {
    return Files.readAllLines(folder.resolve("log")).stream()
        .skip(1)
        .map(line -> line.split("\t"))
        .sorted((one, other) -> Integer.compare(number(one), number(other)))
        .map(columns -> columns[6] + " " + columns[7])
        .toList();
  }

  private static int number(String[] columns) {
    return Integer.parseInt(columns[0]);
  }

  @Test
  void on_a_terminal_it_says_why_a_job_does_not_begin() throws IOException {
    assertEquals(0, service.cli("run", "--", "true").code()); // so that there is a server
    long busy = service.submit("exec sleep 1000", "hold", true);
    try (Tmux tmux =
        Tmux.run(
            folder,
            100,
            24,
            service.shellLine("run", "--after", busy + ":any", "--", "echo", "it begins")
                + "\necho ended with $?\nexec sleep 1000\n")) {
      tmux.awaitText("remuda: job " + (busy + 1) + " waits: it starts after job " + busy, SOON);
      assertEquals(0, service.cli("cancel", Long.toString(busy)).code());
      tmux.awaitText("ended with 0", SOON);
    }
  }
}
