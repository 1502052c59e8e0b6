package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EventLogFile.Move;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.TinyMnist;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A test of the ensemble as a user meets it: the real program in processes of its own. */
abstract class WithEnsemble {

  static final Duration WHOLE_RUN = Duration.ofSeconds(240);
  static final Duration START = Duration.ofSeconds(120);
  static final Duration SWEPT = Duration.ofSeconds(60);

  /** The number of the trainings' job. */
  static final int MNIST = 1;

  private static final AtomicInteger HOMES = new AtomicInteger();

  static Path folder;
  static Path data;
  static String machine;

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

  private static final String LONG_CONTACT =
      "remuda.coordinator { contact-deadline = 300s, contact-lost = 310s }\n";

  /** Trainings that are held do not count as stuck on a crowded machine. */
  static final String HELD_FOR_LONG = "remuda.agent { worker-start = 10m, worker-silence = 10m }\n";

  /** Waits until a run has so many trainings and stops each as soon as it is there. */
  static void hold(EnsembleProcess run, int trainings) {
    Set<Long> held = new HashSet<>();
    run.await(
        trainings + " trainings",
        START,
        () -> {
          run.members(Role.WORKER).stream()
              .filter(worker -> worker.commandLine().contains("torch"))
              .filter(worker -> held.add(worker.pid()))
              .forEach(worker -> worker.signal("STOP"));
          return held.size() == trainings;
        });
  }

  /** Lets the trainings continue. */
  static void release(EnsembleProcess run) {
    run.members(Role.WORKER).forEach(worker -> worker.signal("CONT"));
  }

  @AfterEach
  void leaveNothing() {
    started.forEach(EnsembleProcess::close);
  }

  /**
   * With small images and, unless named, the tiny training set; nothing of it ends only because it
   * has not heard from the coordinator, so that what is gone at the end was ended.
   */
  EnsembleProcess start(Map<String, String> environment, String... arguments) throws IOException {
    return launch(homeWith(LONG_CONTACT), environment, words(arguments));
  }

  /** A run whose two trainings are held until they are released. */
  EnsembleProcess startHeld(Map<String, String> environment, String... arguments)
      throws IOException {
    Path home = homeWith(LONG_CONTACT + HELD_FOR_LONG);
    EnsembleProcess run = launch(home, environment, words(arguments));
    hold(run, 2);
    return run;
  }

  private static Path homeWith(String settings) throws IOException {
    Path home = Files.createDirectory(newHome());
    Files.writeString(home.resolve("remuda.conf"), settings);
    return home;
  }

  static List<String> words(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    addUnless(all, "--size=", "--size=64", "--mem=" + 40 * 64 * 64);
    addUnless(all, "--data-dir=", "--data-dir=" + data);
    all.add("--no-verify");
    return all;
  }

  private static void addUnless(List<String> arguments, String present, String... more) {
    if (arguments.stream().noneMatch(argument -> argument.startsWith(present))) {
      arguments.addAll(List.of(more));
    }
  }

  /** With exactly these arguments, and without the driver of this machine. */
  EnsembleProcess launch(Map<String, String> environment, List<String> arguments) {
    return launch(newHome(), environment, arguments);
  }

  private EnsembleProcess launch(
      Path home, Map<String, String> environment, List<String> arguments) {
    EnsembleProcess run =
        EnsembleProcess.start(installation, home, variables(home, environment), arguments);
    started.add(run);
    return run;
  }

  static Path newHome() {
    return folder.resolve("h" + HOMES.incrementAndGet());
  }

  /** These variables and those that keep a run from the devices of this machine. */
  static Map<String, String> variables(Path home, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>();
    all.put("REMUDA_DEVICE_LOCKS", home.resolve("locks").toString());
    all.put("REMUDA_NVML_LIBRARY", folder.resolve("no-driver.so").toString());
    all.putAll(environment);
    return all;
  }

  /** A driver of its own that says what it is told to. */
  static SimulatedDriver driver() throws IOException {
    return SimulatedDriver.in(Files.createTempDirectory(folder, "driver"));
  }

  /** All devices that some of them hold. */
  static Set<String> devices(List<Move> moves) {
    Set<String> all = new HashSet<>();
    moves.forEach(move -> all.addAll(move.devices()));
    return all;
  }
}
