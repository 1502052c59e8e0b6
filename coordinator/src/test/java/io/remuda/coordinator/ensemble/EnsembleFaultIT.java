package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EventLogFile;
import io.remuda.coordinator.testkit.Fault;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.TinyMnist;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many small runs, each with one process killed or stopped at a random moment. With {@code
 * -Pfaults} only; {@code -Dfaults.rounds=N} and {@code -Dfaults.seed=S}. Round n of seed S is round
 * 0 of seed S + n. What is known of a failed round stays in {@code target/faults}.
 */
class EnsembleFaultIT {

  private static final int IMAGES = 200;
  private static final int TRAININGS = 3;
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration COORDINATOR_GONE = Duration.ofSeconds(10);
  private static final Duration COORDINATOR_STOPPED = Duration.ofSeconds(11);
  private static final Duration SWEPT = Duration.ofSeconds(2);

  /** A stop for so long may pass unnoticed. */
  private static final long SHORT_PAUSE = 5000;

  private static final List<String> SAYINGS =
      List.of("was interrupted on node", "is silent", "is started again", "is back");

  private final Installation installation = Installation.find();
  private Path home;
  private Path data;

  @BeforeEach
  void folders() throws IOException {
    home = Files.createTempDirectory("rf");
    data = TinyMnist.write(home.resolve("data"), 320, 100);
  }

  @AfterEach
  void cleanUp() throws IOException {
    try (Stream<Path> tree = Files.walk(home)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  @Test
  void any_process_may_be_killed_or_stopped_at_any_moment() throws IOException {
    int rounds = Integer.getInteger("faults.rounds", 60);
    long seed = Long.getLong("faults.seed", System.currentTimeMillis());
    System.out.println("faults: " + rounds + " rounds, -Dfaults.seed=" + seed);
    long usual = undisturbed();
    System.out.println("faults: an undisturbed run takes " + usual + " ms");
    List<String> failures = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      String failure = round(round, seed + round, usual);
      if (!failure.isEmpty()) {
        failures.add("round " + round + ", seed " + (seed + round) + ": " + failure);
      }
    }
    System.out.println("faults: " + rounds + " rounds, " + failures.size() + " failures");
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
  }

  /** How long a run takes without a fault; the first one also fills the caches. */
  private long undisturbed() {
    long millis = 0;
    for (int warm = 0; warm < 2; warm++) {
      try (EnsembleProcess run = start("calm" + warm)) {
        int code = run.awaitExit(LONGEST);
        millis = run.millis();
        check(run, code == 0, "exit code " + code + " without a fault");
        checkReport(run);
        run.awaitNothingLeft(SWEPT);
      }
    }
    return millis;
  }

  private EnsembleProcess start(String name) {
    return EnsembleProcess.start(
        installation,
        home.resolve(name),
        Map.of("REMUDA_DEVICE_LOCKS", home.resolve(name).resolve("locks").toString()),
        List.of(
            "--nodes=2",
            "--simulate-gpus=h200:4",
            "--mnist-workers=" + TRAININGS,
            "--scipy-workers=2",
            "--epochs=1",
            "--size=128",
            "--mem=" + IMAGES * 128 * 128,
            "--json",
            "--no-verify",
            "--data-dir=" + data));
  }

  private String round(int number, long seed, long usual) throws IOException {
    Fault fault = Fault.random(seed, usual);
    String outcome;
    String failure = "";
    try (EnsembleProcess run = start("r" + number)) {
      try {
        outcome = suffer(run, fault);
      } catch (AssertionError broken) {
        String message = String.valueOf(broken.getMessage());
        failure = fault + ": " + message.lines().findFirst().orElse("");
        outcome = "FAILED " + failure;
        keep(run, number, seed, fault + "\n" + message);
      }
    }
    System.out.printf("round %3d seed %d: %s -> %s%n", number, seed, fault, outcome);
    return failure;
  }

  private static void keep(EnsembleProcess run, int number, long seed, String text)
      throws IOException {
    run.members().forEach(member -> member.signal("CONT"));
    run.members().forEach(member -> member.signal("QUIT")); // each JVM prints its threads
    Path folder = Files.createDirectories(Path.of("target", "faults"));
    Path file = folder.resolve("round-" + number + "-seed-" + seed + ".txt");
    Files.writeString(file, text + "\n\n==== threads asked for ====\n" + run.describe());
    System.out.println("kept " + file.toAbsolutePath());
  }

  private static String suffer(EnsembleProcess run, Fault fault) {
    Optional<Member> victim = victim(run, fault);
    if (victim.isEmpty()) {
      int code = run.awaitExit(LONGEST);
      check(run, code == 0, "exit code " + code + " though nothing was hit");
      checkReport(run);
      return "came too late";
    }
    long hitAt = run.millis();
    victim.get().signal(fault.kill() ? "KILL" : "STOP");
    String hit = victim.get() + " hit at " + hitAt + " ms; ";
    if (fault.role() == Role.COORDINATOR) {
      return hit + coordinatorHit(run, fault, victim.get(), hitAt);
    }
    return hit + otherHit(run, fault, victim.get(), hitAt);
  }

  /** Waits until there is a process of the role and returns it; empty if the run ends. */
  private static Optional<Member> victim(EnsembleProcess run, Fault fault) {
    while (run.isAlive()) {
      if (run.millis() >= fault.momentMillis()) {
        List<Member> candidates = run.members(fault.role());
        if (!candidates.isEmpty()) {
          return Optional.of(candidates.get(fault.choice() % candidates.size()));
        }
      }
      Thread.onSpinWait();
    }
    return Optional.empty();
  }

  private static String coordinatorHit(
      EnsembleProcess run, Fault fault, Member victim, long hitAt) {
    if (fault.kill()) {
      run.awaitNothingLeft(COORDINATOR_GONE);
      return "all gone " + (run.millis() - hitAt) + " ms later";
    }
    if (fault.isForGood()) {
      run.await(
          "all others gone",
          COORDINATOR_STOPPED,
          () -> run.members().stream().allMatch(member -> member.pid() == victim.pid()));
      long others = run.millis() - hitAt;
      victim.signal("KILL");
      run.awaitNothingLeft(SWEPT);
      return "all others gone " + others + " ms later";
    }
    resumeLater(run, fault, victim, hitAt);
    int code = run.awaitExit(LONGEST);
    String ended = "exit " + code + " at " + run.millis() + " ms";
    if (code == 0) {
      checkReport(run);
    } else {
      check(run, !run.err().isEmpty(), "no word on stderr");
    }
    return ended + ", none left " + run.awaitNothingLeft(SWEPT) + " ms later";
  }

  private static void resumeLater(EnsembleProcess run, Fault fault, Member victim, long hitAt) {
    while (run.isAlive() && run.millis() - hitAt < fault.resumeMillis()) {
      Thread.onSpinWait();
    }
    victim.signal("CONT");
  }

  private static String otherHit(EnsembleProcess run, Fault fault, Member victim, long hitAt) {
    if (fault.resumeMillis() > 0) {
      resumeLater(run, fault, victim, hitAt);
    }
    int code = run.awaitExit(LONGEST);
    long end = run.millis();
    check(run, code == 0, "exit code " + code);
    checkReport(run);
    long swept = run.awaitNothingLeft(SWEPT);
    run.events().assertNoDeviceHeldTwice();
    String said = said(run, fault, victim, hitAt);
    return "exit 0 at " + end + " ms, none left " + swept + " ms later, " + said;
  }

  /** The line that tells of the fault; not needed where there was nothing to repair. */
  private static String said(EnsembleProcess run, Fault fault, Member victim, long hitAt) {
    Optional<EnsembleProcess.Line> line =
        run.lines().stream()
            .filter(EnsembleProcess.Line::error)
            .filter(text -> text.millis() >= hitAt - 50)
            .filter(text -> SAYINGS.stream().anyMatch(text.text()::contains))
            .findFirst();
    if (line.isPresent()) {
      return line.get().millis() - hitAt + " ms: \"" + line.get().text() + "\"";
    }
    boolean mayPass = fault.resumeMillis() > 0 && fault.resumeMillis() < SHORT_PAUSE;
    check(run, mayPass || nobodyHurt(run.events()), "no line says so");
    return mayPass ? "short" : "nothing to repair";
  }

  /** It was hit before there was work or after its work was done. */
  private static boolean nobodyHurt(EventLogFile events) {
    Instant end = events.moves().get(events.moves().size() - 1).at();
    return events.moves().stream()
            .noneMatch(move -> move.releases() && !move.to().equals("succeeded"))
        && events.nodes().stream()
            .noneMatch(node -> node.event().equals("silent") && node.at().isBefore(end));
  }

  /** Every learning rate has its result, every image was worked on. */
  private static void checkReport(EnsembleProcess run) {
    check(run, run.out().size() == 1, "one JSON object expected on stdout");
    try {
      JsonNode report = new JsonMapper().readTree(run.out().get(0));
      TreeSet<Double> rates = new TreeSet<>();
      report.get("mnist").forEach(row -> rates.add(row.get("learningRate").asDouble()));
      check(run, rates.equals(new TreeSet<>(List.of(0.5, 1.0, 1.5))), "learning rates: " + rates);
      check(run, report.get("mnist").size() == TRAININGS, "a learning rate is there twice");
      report
          .get("mnist")
          .forEach(row -> check(run, row.path("accuracy").asDouble() > 50, "result: " + row));
      JsonNode images = report.get("scipy");
      check(run, images.get("done").asInt() == IMAGES, "images: " + images);
      check(run, images.get("failed").isEmpty(), "failed images: " + images);
    } catch (IOException fault) {
      throw new AssertionError("not JSON: " + run.out() + "\n" + run.describe(), fault);
    }
  }

  private static void check(EnsembleProcess run, boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what + "\n" + run.describe());
    }
  }
}
