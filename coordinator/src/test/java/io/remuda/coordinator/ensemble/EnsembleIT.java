package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EnsembleProcess.Line;
import io.remuda.coordinator.testkit.EventLogFile;
import io.remuda.coordinator.testkit.EventLogFile.Move;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.TinyMnist;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ensemble as a user meets it: the real program in processes of its own. */
class EnsembleIT {

  private static final Duration WHOLE_RUN = Duration.ofSeconds(60);
  private static final Duration START = Duration.ofSeconds(60); // beside other tests
  private static final Duration TICKS = Duration.ofSeconds(10);
  private static final Duration ENDING = Duration.ofSeconds(3);
  private static final Duration SWEPT = Duration.ofSeconds(1);
  private static final long LONGEST_GAP_MILLIS = 3500; // a tick of 1 s on a crowded machine
  private static final int MNIST = 1;
  private static final int SCIPY = 2;

  private static final Pattern TELEMETRY =
      Pattern.compile(
          "nodename: (\\S+) cpu load average 1 minute: \\d+\\.\\d+"
              + "( device # (\\d+) utilization: (n/a|\\d+\\.\\d\\d%))?");
  private static final Pattern FINAL =
      Pattern.compile(
          "Final test for learning rate (\\d\\.\\d+): loss: \\d+(\\.\\d+)?(e-\\d+)?"
              + " accuracy: (\\d+\\.\\d+)");

  private static Path folder;
  private static Path data;
  private static String machine;

  private final Installation installation = Installation.find();
  private final List<EnsembleProcess> started = new ArrayList<>();

  @BeforeAll
  static void writeData() throws IOException {
    folder = Files.createTempDirectory("ri"); // short: there will be sockets below it
    data = TinyMnist.write(folder.resolve("data"), 128, 64);
    machine = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  @AfterAll
  static void removeData() throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  @AfterEach
  void leaveNothing() {
    started.forEach(EnsembleProcess::close);
  }

  // ---- the main job

  @Test
  void one_node_prints_the_lines_of_the_example_in_their_order() {
    EnsembleProcess run = start(Map.of(), "--epochs=2");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    run.awaitNothingLeft(SWEPT);
    List<String> plain = run.out().stream().filter(line -> !isTelemetry(line)).toList();
    assertEquals(
        List.of(
            "Hello from main process " + machine + ".",
            "using dragon runtime",
            "Number of nodes: 1",
            "Number of scipy workers: 2",
            "Number of MNIST workers: 2",
            "This is the postprocessing process, " + machine + ".",
            "Number of images: 40",
            "This is a telemetry process on node " + machine + ".",
            "Launching scipy and mnist jobs",
            "Shutting down procs",
            "Telemetry process on node " + machine + " exiting ...",
            "Post process is exiting"),
        plain.subList(0, plain.size() - 2),
        run::describe);
    assertEquals(List.of("0.5", "1.5"), rates(plain.subList(plain.size() - 2, plain.size())));
    assertTelemetryIsBetween("Launching scipy and mnist jobs", "Telemetry process on node", run);
  }

  @Test
  void a_json_report_is_alone_on_stdout_and_simulated_gpus_are_lent() throws IOException {
    EnsembleProcess run = start(Map.of(), "--epochs=1", "--json", "--simulate-gpus=h200:8");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEquals(1, run.out().size(), run::describe);
    JsonNode report = new JsonMapper().readTree(run.out().get(0));
    assertEquals(2, report.get("mnist").size(), run::describe);
    assertEquals(1.5, report.get("mnist").get(1).get("learningRate").asDouble());
    assertEquals(40, report.get("scipy").get("done").asInt());
    assertTrue(run.err().contains("Hello from main process " + machine + "."), run::describe);
    assertTrue(run.err().stream().anyMatch(line -> line.contains(" device # 0 util")));
    assertEquals(2, devices(run.events().placements(MNIST)).size(), run::describe);
    run.events().assertNoDeviceHeldTwice();
    run.awaitNothingLeft(SWEPT);
  }

  @Test
  void six_trainings_go_round_three_nodes_that_share_two_gpus() throws IOException {
    SimulatedDriver driver = driver().says("gpus 2", "gpu 0 util 37", "gpu 1 util 11");
    EnsembleProcess run =
        start(
            driver.environment(),
            "--nodes=3",
            "--mnist-workers=6",
            "--scipy-workers=3",
            "--epochs=1");
    run.awaitLine("a first result", line -> line.contains(": epoch 1/1"), WHOLE_RUN);
    driver.says("gpus 2", "gpu 0 util 82", "gpu 1 util 11");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    run.awaitNothingLeft(SWEPT);

    List<String> nodes = List.of(machine + "-1", machine + "-2", machine + "-3");
    assertEachNodeReportsOncePerTick(run, nodes);
    assertUtilisationTurns(run, nodes, "37.00%", "82.00%");
    EventLogFile events = run.events();
    assertEquals(nodes, events.placements(SCIPY).stream().map(Move::node).toList());
    List<String> twice = new ArrayList<>(nodes);
    twice.addAll(nodes);
    assertEquals(twice, events.placements(MNIST).stream().map(Move::node).toList());
    assertEquals(2, devices(events.placements(MNIST)).size(), run::describe);
    events.assertNoDeviceHeldTwice();
    assertEquals(
        List.of("0.5", "0.7", "0.9", "1.1", "1.3", "1.5"), rates(run.out()), run::describe);
  }

  @Test
  void two_runs_at_once_never_use_a_gpu_together() throws IOException {
    SimulatedDriver driver = driver().says("gpus 2");
    Map<String, String> environment = new HashMap<>(driver.environment());
    environment.put("REMUDA_DEVICE_LOCKS", folder.resolve("common-locks").toString());
    List<EnsembleProcess> runs =
        List.of(start(environment, "--epochs=1"), start(environment, "--epochs=1"));
    Set<String> used = new HashSet<>();
    runs.get(0)
        .await(
            "both runs at their end",
            WHOLE_RUN.multipliedBy(2),
            () -> {
              used.addAll(devicesInUse(runs));
              return runs.stream().noneMatch(EnsembleProcess::isAlive);
            });
    for (EnsembleProcess run : runs) {
      assertEquals(0, run.awaitExit(SWEPT), run::describe);
      assertEquals(List.of("0.5", "1.5"), rates(run.out()));
      run.events().assertNoDeviceHeldTwice();
    }
    assertEquals(2, used.size(), "devices seen in use: " + used);
  }

  @Test
  void the_rehearsal_by_which_class_archives_are_made_is_a_run_that_succeeds() {
    EnsembleProcess run = launch(Map.of(), List.of("--rehearse"));
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertTrue(run.out().contains("Number of images: 1"), run::describe);
  }

  // ---- signals

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void a_signal_in_the_middle_ends_all_processes_of_all_nodes(String signal, int code) {
    EnsembleProcess run = midway();
    long asked = run.millis();
    run.coordinator().signal(signal);
    assertEquals(code, run.awaitExit(ENDING), run::describe);
    run.awaitNothingLeft(ENDING);
    long took = run.millis() - asked;
    System.out.println("SIG" + signal + ": nothing left after " + took + " ms");
    assertTrue(took <= ENDING.toMillis(), () -> took + " ms\n" + run.describe());
  }

  @Test
  void a_second_ctrl_c_forces_the_end_while_an_agent_hangs() {
    EnsembleProcess run = midway();
    run.members(Role.AGENT).get(0).signal("STOP");
    run.coordinator().signal("INT");
    run.await("the end to be under way", ENDING, () -> run.members(Role.WORKER).size() < 4);
    assertTrue(run.isAlive(), run::describe);
    long asked = run.millis();
    run.coordinator().signal("INT");
    assertEquals(130, run.awaitExit(ENDING), run::describe);
    run.awaitNothingLeft(SWEPT);
    System.out.println("second SIGINT: nothing left after " + (run.millis() - asked) + " ms");
  }

  @Test
  void ctrl_c_while_the_nodes_start_leaves_nothing_either() {
    EnsembleProcess run = start(Map.of(), "--nodes=2", "--epochs=1");
    run.await("an agent", START, () -> !run.members(Role.AGENT).isEmpty());
    long asked = run.millis();
    run.coordinator().signal("INT");
    assertEquals(130, run.awaitExit(ENDING), run::describe);
    run.awaitNothingLeft(ENDING);
    long took = run.millis() - asked;
    System.out.println("early SIGINT: nothing left after " + took + " ms");
  }

  // ---- bad input

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mnist-workers=1",
        "--scipy-workers=0",
        "--no-such-option",
        "--size=3",
        "--size=46340 --mem=4GiB --scipy-workers=1000"
      })
  void bad_usage_is_one_line_and_exit_2(String arguments) {
    assertRefused(2, "remuda: .*" + named(arguments) + ".*", Map.of(), arguments.split(" "));
  }

  private static String named(String arguments) {
    return Pattern.quote(arguments.split("[ =]")[0]);
  }

  @Test
  void a_cache_that_cannot_be_written_is_named() throws IOException {
    Path file = Files.createFile(folder.resolve("not-a-folder"));
    assertRefused(1, ".*" + file + ".*", Map.of("REMUDA_CACHE", file.toString()));
  }

  @Test
  void a_damaged_file_is_named() throws IOException {
    Path damaged = TinyMnist.write(folder.resolve("damaged"), 20, 10);
    Path labels = damaged.resolve("t10k-labels-idx1-ubyte");
    byte[] bytes = Files.readAllBytes(labels);
    bytes[bytes.length - 1] ^= 0x40;
    Files.write(labels, bytes);
    assertRefused(1, ".*" + labels + ".*", Map.of(), "--data-dir=" + damaged);
    Files.delete(labels);
    assertRefused(
        1, ".*" + damaged + " has neither .*t10k-labels.*", Map.of(), "--data-dir=" + damaged);
  }

  @Test
  void data_that_is_not_mnist_is_named_unless_it_may_be_another_set() {
    EnsembleProcess run = launch(Map.of(), List.of("--data-dir=" + data));
    assertEquals(1, run.awaitExit(START), run::describe);
    assertEquals(1, run.err().size(), run::describe);
    assertTrue(run.err().get(0).contains("--no-verify"), run::describe);
  }

  @Test
  void a_bad_mnist_dir_is_named() {
    String nowhere = folder.resolve("nowhere").toString();
    EnsembleProcess run = launch(Map.of("MNIST_DIR", nowhere), List.of());
    assertEquals(1, run.awaitExit(START), run::describe);
    assertEquals(1, run.err().size(), run::describe);
    assertTrue(run.err().get(0).contains(nowhere), run::describe);
    assertEquals(List.of(), run.runFolders());
  }

  @Test
  void a_port_that_is_taken_is_named() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      assertRefused(1, ".*--listen.*" + listen + ".*", Map.of(), "--listen=" + listen);
    }
  }

  private void assertRefused(
      int code, String line, Map<String, String> environment, String... arguments) {
    EnsembleProcess run = start(environment, arguments);
    Set<Role> seen = new HashSet<>();
    run.await(
        "its end",
        START,
        () -> {
          run.members().stream()
              .map(Member::role)
              .filter(role -> role != Role.OTHER) // the JVM's own helper while it starts java
              .forEach(seen::add);
          return !run.isAlive();
        });
    assertEquals(code, run.awaitExit(SWEPT), run::describe);
    assertEquals(1, run.err().size(), run::describe);
    assertTrue(run.err().get(0).matches(line), run::describe);
    assertEquals(List.of(), run.out(), run::describe);
    assertTrue(Set.of(Role.COORDINATOR).containsAll(seen), () -> "started: " + seen);
    assertEquals(List.of(), run.runFolders());
  }

  // ---- the driver's faults

  @ParameterizedTest
  @ValueSource(strings = {"hang init", "init fail 999"})
  void a_driver_that_does_not_open_leaves_the_cpu_lines(String fault) throws IOException {
    EnsembleProcess run = start(driver().says("gpus 2", fault).environment(), "--epochs=1");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEachNodeReportsOncePerTick(run, List.of(machine));
    assertTrue(run.out().stream().noneMatch(line -> line.contains(" device # ")), run::describe);
    assertEquals(List.of("0.5", "1.5"), rates(run.out()), run::describe);
    run.awaitNothingLeft(SWEPT);
  }

  @Test
  void an_old_driver_is_good_enough() throws IOException {
    SimulatedDriver driver = driver().says("gpus 2", "gpu 0 util 23");
    EnsembleProcess run = start(driver.environmentOfOldDriver(), "--epochs=1");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertUtilisationTurns(run, List.of(machine), "23.00%");
    assertEquals(2, devices(run.events().placements(MNIST)).size(), run::describe);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu 1 hang", "gpu 1 lost\ngpu 2 gone"})
  void a_gpu_that_fails_in_the_middle_delays_nothing(String fault) throws IOException {
    SimulatedDriver driver = driver().says("gpus 3", "gpu 0 util 5");
    EnsembleProcess run = start(driver.environment(), "--epochs=24");
    run.awaitLine("a first sample", line -> line.endsWith("utilization: 5.00%"), START);
    driver.says("gpus 3", "gpu 0 util 50", fault);
    Line fresh = run.awaitLine("GPU 0", line -> line.endsWith("utilization: 50.00%"), TICKS);
    awaitSamplesAfter(run, fresh);
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEachNodeReportsOncePerTick(run, List.of(machine));
    assertTrue(
        run.lines().stream()
            .filter(line -> line.millis() > fresh.millis() && isTelemetry(line.text()))
            .allMatch(line -> line.text().endsWith("utilization: 50.00%")),
        run::describe);
    assertEquals(List.of("0.5", "1.5"), rates(run.out()), run::describe);
    run.awaitNothingLeft(SWEPT);
  }

  @Test
  void without_cuda_no_gpu_is_taken_and_the_loss_of_the_only_one_leaves_the_cpu_lines()
      throws IOException {
    SimulatedDriver driver = driver().says("gpus 1", "gpu 0 util 5");
    EnsembleProcess run = start(driver.environment(), "--epochs=24", "--no-cuda");
    run.awaitLine("a first sample", line -> line.endsWith("utilization: 5.00%"), START);
    driver.says("gpus 1", "gpu 0 hang");
    awaitSamplesAfter(
        run, run.awaitLine("no value", line -> line.endsWith("utilization: n/a"), TICKS));
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEquals(Set.of(), devices(run.events().moves()), run::describe);
    assertEachNodeReportsOncePerTick(run, List.of(machine));
  }

  // ---- how runs are started and what is looked for

  /** With small images and, unless named, the tiny training set. */
  private static final AtomicInteger HOMES = new AtomicInteger();

  private EnsembleProcess start(Map<String, String> environment, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    addUnless(all, "--size=", "--size=64", "--mem=" + 40 * 64 * 64);
    addUnless(all, "--data-dir=", "--data-dir=" + data);
    all.add("--no-verify");
    return launch(environment, all);
  }

  private static void addUnless(List<String> arguments, String present, String... more) {
    if (arguments.stream().noneMatch(argument -> argument.startsWith(present))) {
      arguments.addAll(List.of(more));
    }
  }

  private EnsembleProcess launch(Map<String, String> environment, List<String> arguments) {
    Path home = folder.resolve("h" + HOMES.incrementAndGet());
    Map<String, String> all = new HashMap<>();
    all.put("REMUDA_DEVICE_LOCKS", home.resolve("locks").toString());
    all.put("REMUDA_NVML_LIBRARY", folder.resolve("no-driver.so").toString());
    all.putAll(environment);
    EnsembleProcess run = EnsembleProcess.start(installation, home, all, arguments);
    started.add(run);
    return run;
  }

  private static SimulatedDriver driver() throws IOException {
    return SimulatedDriver.in(Files.createTempDirectory(folder, "driver"));
  }

  /** A long run on two nodes with all of its workers at work. */
  private EnsembleProcess midway() {
    EnsembleProcess run =
        start(
            Map.of(),
            "--nodes=2",
            "--epochs=1000",
            "--scipy-workers=2",
            "--size=512",
            "--mem=4GiB");
    run.awaitLine("an epoch", line -> line.contains(": epoch 1/1000"), START);
    assertEquals(2, run.members(Role.AGENT).size(), run::describe);
    assertEquals(2, run.members(Role.KEEPER).size(), run::describe);
    assertEquals(4, run.members(Role.WORKER).size(), run::describe);
    return run;
  }

  /** What failed has not held up the next ticks. */
  private static void awaitSamplesAfter(EnsembleProcess run, Line line) {
    run.await(
        "two more samples",
        TICKS,
        () ->
            run.lines().stream()
                    .filter(one -> one.millis() > line.millis() && isTelemetry(one.text()))
                    .count()
                >= 2);
  }

  private static boolean isTelemetry(String line) {
    return TELEMETRY.matcher(line).matches();
  }

  private static List<String> rates(List<String> lines) {
    return lines.stream()
        .map(FINAL::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  private static Set<String> devices(List<Move> moves) {
    Set<String> all = new HashSet<>();
    moves.forEach(move -> all.addAll(move.devices()));
    return all;
  }

  /** Fails if two living workers have the same device. */
  private static Set<String> devicesInUse(List<EnsembleProcess> runs) {
    Map<String, Member> holders = new HashMap<>();
    for (EnsembleProcess run : runs) {
      for (Member worker : run.members(Role.WORKER)) {
        String device = worker.variable("REMUDA_DEVICES").orElse("");
        Member other = device.isEmpty() ? null : holders.put(device, worker);
        assertTrue(other == null, () -> device + " is used by " + other + " and " + worker);
      }
    }
    return holders.keySet();
  }

  private static void assertTelemetryIsBetween(String first, String last, EnsembleProcess run) {
    List<String> out = run.out();
    List<Integer> at =
        Stream.iterate(0, index -> index < out.size(), index -> index + 1)
            .filter(index -> isTelemetry(out.get(index)))
            .toList();
    assertFalse(at.isEmpty(), run::describe);
    assertTrue(out.indexOf(first) < at.get(0), run::describe);
    assertTrue(out.get(at.get(at.size() - 1) + 1).matches("Shutting down procs|" + last + ".*"));
  }

  private static Map<String, List<Line>> telemetry(EnsembleProcess run) {
    Map<String, List<Line>> byNode = new TreeMap<>();
    for (Line line : run.lines()) {
      Matcher matcher = TELEMETRY.matcher(line.text());
      if (matcher.matches()) {
        byNode.computeIfAbsent(matcher.group(1), node -> new ArrayList<>()).add(line);
      }
    }
    return byNode;
  }

  /** No node is left out, none reports twice, none pauses. */
  private static void assertEachNodeReportsOncePerTick(EnsembleProcess run, List<String> nodes) {
    Map<String, List<Line>> byNode = telemetry(run);
    assertEquals(Set.copyOf(nodes), byNode.keySet(), run::describe);
    List<Integer> counts = byNode.values().stream().map(List::size).sorted().toList();
    assertTrue(counts.get(counts.size() - 1) - counts.get(0) <= 2, () -> counts + run.describe());
    for (List<Line> lines : byNode.values()) {
      long span = lines.get(lines.size() - 1).millis() - lines.get(0).millis();
      assertTrue((lines.size() - 2) * 1000L <= span + 500, () -> "too often: " + lines);
      for (int i = 1; i < lines.size(); i++) {
        long gap = lines.get(i).millis() - lines.get(i - 1).millis();
        String after = lines.get(i - 1).toString();
        assertTrue(gap < LONGEST_GAP_MILLIS, () -> gap + " ms after " + after + run.describe());
      }
    }
  }

  /** Each node's first device shows these values, in this order, and no others. */
  private static void assertUtilisationTurns(
      EnsembleProcess run, List<String> nodes, String... values) {
    for (String node : nodes) {
      List<String> turns = new ArrayList<>();
      for (Line line : telemetry(run).get(node)) {
        String value = line.text().substring(line.text().lastIndexOf(' ') + 1);
        if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(value)) {
          turns.add(value);
        }
      }
      assertEquals(List.of(values), turns, () -> node + "\n" + run.describe());
    }
  }
}
