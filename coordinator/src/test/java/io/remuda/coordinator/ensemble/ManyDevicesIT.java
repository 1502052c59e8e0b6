package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EnsembleProcess.Line;
import io.remuda.coordinator.testkit.EventLogFile;
import io.remuda.coordinator.testkit.EventLogFile.Move;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TinyMnist;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As many GPUs and MIG instances as the simulated driver can have, on a run of two nodes. */
@Tag("slow")
class ManyDevicesIT {
  private static final Duration WHOLE_RUN = Duration.ofSeconds(240);
  private static final Duration START = Duration.ofSeconds(120);
  private static final Duration SWEPT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofSeconds(120);

  private static final int WHOLE = 40;
  private static final int DIVIDED = 4;
  private static final int INSTANCES_EACH = 5;
  private static final int MNIST = 1;

  /**
   * A device as {@code gpus --json} shows it.
   *
   * @param task that holds it, or empty
   */
  private record Shown(String number, String uuid, String health, String task) {}

  private final Installation installation = Installation.find();
  private final List<EnsembleProcess> started = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Path folder;
  private Path data;
  private SimulatedDriver driver;
  private List<String> nodes;

  @BeforeEach
  void fillTheMachine() throws IOException {
    folder = Files.createTempDirectory("rm"); // short: there will be sockets below it
    data = TinyMnist.write(folder.resolve("data"), 128, 64);
    Files.writeString(folder.resolve("remuda.conf"), WithEnsemble.HELD_FOR_LONG);
    driver = SimulatedDriver.in(folder).says(machine());
    driver.loaded(); // for commands that are called
    environment.putAll(driver.environment());
    environment.put("REMUDA_DEVICE_LOCKS", folder.resolve("locks").toString());
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    nodes = List.of(host + "-1", host + "-2");
  }

  @AfterEach
  void leaveNothing() throws IOException {
    started.forEach(EnsembleProcess::close);
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Whole GPUs, then divided ones, then the instances of these, in every slot but 2 and 5. */
  private static String[] machine(String... more) {
    List<String> lines = new ArrayList<>();
    lines.add("gpus " + (WHOLE + DIVIDED));
    int entry = WHOLE + DIVIDED;
    for (int gpu = WHOLE; gpu < WHOLE + DIVIDED; gpu++) {
      lines.add("gpu " + gpu + " mig");
      for (int slot : new int[] {0, 1, 3, 4, 6}) {
        lines.add("gpu " + entry++ + " mig-of " + gpu + " " + slot);
      }
    }
    assertEquals(64, entry);
    lines.addAll(List.of(more));
    return lines.toArray(String[]::new);
  }

  private static List<String> numbers() {
    List<String> numbers = new ArrayList<>();
    for (int gpu = 0; gpu < WHOLE; gpu++) {
      numbers.add(Integer.toString(gpu));
    }
    for (int gpu = WHOLE; gpu < WHOLE + DIVIDED; gpu++) {
      for (int slot : new int[] {0, 1, 3, 4, 6}) {
        numbers.add(gpu + ":" + slot);
      }
    }
    assertEquals(WHOLE + DIVIDED * INSTANCES_EACH, numbers.size());
    return numbers;
  }

  private EnsembleProcess start(String... arguments) {
    EnsembleProcess process =
        EnsembleProcess.start(installation, folder, environment, List.of(arguments));
    started.add(process);
    return process;
  }

  private EnsembleProcess startRun() {
    return start(
        "--nodes=2",
        "--mnist-workers=3",
        "--scipy-workers=1",
        "--epochs=1",
        "--size=64",
        "--mem=" + 40 * 64 * 64,
        "--data-dir=" + data,
        "--no-verify");
  }

  /** The devices of each node of the run, as a command of the user shows them. */
  private Map<String, List<Shown>> gpus(EnsembleProcess run) throws IOException {
    Result gpus = new Cluster(installation, folder, environment).cli("gpus", "--json");
    assertEquals(0, gpus.code(), gpus::toString);
    assertEquals(1, gpus.out().lines().count(), gpus::toString);
    JsonNode all = new JsonMapper().readTree(gpus.out());
    assertEquals(1, all.size(), () -> "devices that no node has: " + gpus.out());
    assertEquals(run.runFolder().getFileName().toString(), all.at("/0/run").asText());
    Map<String, List<Shown>> shown = new TreeMap<>();
    for (JsonNode node : all.at("/0/nodes")) {
      assertTrue(node.get("reachable").asBoolean(), gpus::toString);
      List<Shown> devices = new ArrayList<>();
      for (JsonNode gpu : node.get("gpus")) {
        devices.add(
            new Shown(
                gpu.get("number").asText(),
                gpu.get("uuid").asText(),
                gpu.get("health").asText(),
                gpu.path("task").asText("")));
      }
      shown.put(node.get("name").asText(), devices);
    }
    return shown;
  }

  /** Tasks by the UUID of what they hold. */
  private static Map<String, String> holders(List<Shown> devices) {
    Map<String, String> holders = new TreeMap<>();
    devices.stream()
        .filter(one -> !one.task().isEmpty())
        .forEach(one -> holders.put(one.uuid(), one.task()));
    return holders;
  }

  private static List<Member> trainings(EnsembleProcess run) {
    return run.members(Role.WORKER).stream()
        .filter(worker -> !worker.variable("REMUDA_DEVICES").orElse("").isEmpty())
        .toList();
  }

  /** Three trainings that hold a device each and neither go on nor end. */
  private EnsembleProcess runWithHeldTrainings() {
    EnsembleProcess run = startRun();
    WithEnsemble.hold(run, 3);
    run.await("their devices", START, () -> trainings(run).size() == 3);
    return run;
  }

  private static List<Move> placements(EnsembleProcess run) {
    return run.events().placements(MNIST);
  }

  private static Map<String, String> placed(EnsembleProcess run) {
    Map<String, String> placed = new TreeMap<>();
    placements(run).forEach(move -> placed.put(move.devices().get(0), move.task()));
    return placed;
  }

  private static void assertNoNodePauses(EnsembleProcess run, List<String> nodes) {
    for (String node : nodes) {
      List<Line> lines =
          run.lines().stream()
              .filter(line -> line.text().startsWith("nodename: " + node + " cpu load"))
              .toList();
      assertTrue(lines.size() > 5, run::describe);
      RunLines.assertNoPause(run, lines);
    }
  }

  @Test
  void every_device_is_shown_and_one_that_hangs_delays_nothing_and_is_not_lent_again()
      throws IOException {
    EnsembleProcess run = runWithHeldTrainings();
    run.await("a sample of each node", START, () -> isSampled(run));
    Map<String, List<Shown>> before = gpus(run);
    assertEquals(Set.copyOf(nodes), before.keySet());
    for (List<Shown> devices : before.values()) {
      assertEquals(numbers(), devices.stream().map(Shown::number).toList());
      assertEquals(Set.of("OK"), health(devices));
      assertEquals(placed(run), holders(devices), run::describe);
    }

    Shown first = before.get(nodes.get(0)).stream().filter(ManyDevicesIT::isLent).toList().get(0);
    driver.says(machine("gpu " + first.number() + " hang"));
    run.await("both nodes to miss it", LOOK, () -> missing(run) == nodes.size());
    for (List<Shown> devices : gpus(run).values()) {
      assertEquals(numbers(), devices.stream().map(Shown::number).toList());
      assertEquals(
          List.of(new Shown(first.number(), first.uuid(), "STALE", first.task())),
          devices.stream().filter(one -> !one.health().equals("OK")).toList());
      assertEquals(placed(run), holders(devices), run::describe);
    }

    int placedBefore = placements(run).size();
    Member holder =
        trainings(run).stream()
            .filter(one -> one.variable("REMUDA_DEVICES").orElse("").equals(first.uuid()))
            .findFirst()
            .orElseThrow();
    holder.signal("KILL");
    run.await("its next attempt", START, () -> placements(run).size() > placedBefore);
    trainings(run).forEach(worker -> worker.signal("CONT"));

    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    EventLogFile events = run.events();
    events.assertNoDeviceHeldTwice();
    List<Move> later = events.placements(MNIST).subList(placedBefore, placements(run).size());
    assertEquals(List.of(first.task()), later.stream().map(Move::task).toList(), run::describe);
    assertFalse(later.get(0).devices().contains(first.uuid()), run::describe);
    assertNoNodePauses(run, nodes);
    run.awaitNothingLeft(SWEPT);
    assertFalse(Files.exists(run.runFolder().resolve("status.json")), "a status is left");
  }

  private static boolean isLent(Shown device) {
    return !device.task().isEmpty();
  }

  private static Set<String> health(List<Shown> devices) {
    Set<String> health = new HashSet<>();
    devices.forEach(device -> health.add(device.health()));
    return health;
  }

  /** Each device of each node has readings in the status that the run keeps. */
  private static boolean isSampled(EnsembleProcess run) {
    String status = status(run);
    return status.contains("\"OK\"") && !status.contains("\"STALE\"");
  }

  private static long missing(EnsembleProcess run) {
    return Stream.of(status(run).split("\"STALE\"", -1)).count() - 1;
  }

  private static String status(EnsembleProcess run) {
    try {
      Path file = run.runFolder().resolve("status.json");
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
