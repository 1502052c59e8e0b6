package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EventLogFile.Move;
import io.remuda.coordinator.testkit.Installation;
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

  @AfterEach
  void leaveNothing() {
    started.forEach(EnsembleProcess::close);
  }

  /** With small images and, unless named, the tiny training set. */
  EnsembleProcess start(Map<String, String> environment, String... arguments) {
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

  /** With exactly these arguments, and without the driver of this machine. */
  EnsembleProcess launch(Map<String, String> environment, List<String> arguments) {
    Path home = folder.resolve("h" + HOMES.incrementAndGet());
    Map<String, String> all = new HashMap<>();
    all.put("REMUDA_DEVICE_LOCKS", home.resolve("locks").toString());
    all.put("REMUDA_NVML_LIBRARY", folder.resolve("no-driver.so").toString());
    all.putAll(environment);
    EnsembleProcess run = EnsembleProcess.start(installation, home, all, arguments);
    started.add(run);
    return run;
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
