package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.CuttableNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds of trouble for a service of two nodes: in each, jobs are submitted and some cancelled
 * while a server, an agent, a keeper or a task is killed or stopped, or the link to a node is cut.
 * Then all is made whole, and whatever was acknowledged must have come to its right end, nothing
 * may have run twice at the same time, and after a stop no process may be left. With {@code
 * -Pfaults} only; {@code -Dfaults.rounds=N} and {@code -Dfaults.seed=S}. Round n of seed S is round
 * 0 of seed S + n. What is known of a failed round stays in {@code target/faults}.
 */
class ServiceFaultIT {
  private static final int ROUNDS = Integer.getInteger("faults.rounds", 20);
  private static final long SEED = Long.getLong("faults.seed", System.currentTimeMillis());

  /** After so many rounds the service is stopped, and started again with all that it knows. */
  private static final int STRETCH = 20;

  /** From so many rounds on, some have to show what becomes of tasks that are sent ahead. */
  private static final int MANY = 5 * STRETCH;

  @TempDir private Path folder;
  private final List<String> failures = new ArrayList<>();
  private final Map<Long, String> ends = new LinkedHashMap<>();
  private final Map<Path, Long> sizes = new HashMap<>();
  private Optional<CuttableNetwork> network = Optional.empty();
  private TroubledService service;
  private int services;
  private int leftOut;
  private int roundsAhead;
  private int quickRounds;

  @BeforeEach
  void open() {
    System.out.println("faults: " + ROUNDS + " rounds, -Dfaults.seed=" + SEED);
    try {
      network = Optional.of(CuttableNetwork.open());
    } catch (IOException none) {
      System.out.println(
          "faults: no link is cut, for there can be no network: " + none.getMessage());
    }
  }

  @AfterEach
  void close() {
    if (service != null) {
      service.close();
    }
    network.ifPresent(CuttableNetwork::close);
  }

  @Test
  void nothing_is_lost_and_nothing_runs_twice_whatever_dies() throws Exception {
    begin();
    for (int round = 0; round < ROUNDS; round++) {
      try {
        round(round);
        if ((round + 1) % STRETCH == 0 || round + 1 == ROUNDS) {
          stretch(round + 1 < ROUNDS);
        }
      } catch (AssertionError | CompletionException broken) {
        failed(round, broken);
      }
    }
    System.out.println(
        "faults: "
            + ROUNDS
            + " rounds, "
            + failures.size()
            + " failures, in "
            + roundsAhead
            + " rounds tasks were sent ahead, in "
            + quickRounds
            + " most were short, "
            + leftOut
            + " cuts left out");
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    checkAhead();
  }

  /** On a machine that is so busy that short tasks take long, none is to be sent ahead. */
  private void checkAhead() {
    if (roundsAhead == 0) {
      String none =
          "in none of "
              + ROUNDS
              + " rounds was a task sent ahead, most were short in "
              + quickRounds
              + ": repeat them on a machine that is less busy";
      System.out.println("faults: WARNING: " + none);
      assertTrue(quickRounds < STRETCH / 2 && ROUNDS < MANY, none);
    }
  }

  private void begin() throws IOException {
    ends.clear();
    sizes.clear();
    service = TroubledService.start(folder.resolve("s" + services++), network);
  }

  private void failed(int round, Throwable broken) throws IOException {
    String first = String.valueOf(broken.getMessage()).lines().findFirst().orElse("");
    failures.add("round " + round + ", seed " + (SEED + round) + ": " + first);
    List<Trouble> troubles = Trouble.random(new SplittableRandom(SEED + round).split());
    System.out.println(
        "round " + round + " seed " + (SEED + round) + " FAILED: " + troubles + ": " + broken);
    Path kept = Path.of("target", "faults", "service-" + SEED + "-" + round).toAbsolutePath();
    service.keep(kept, broken + "\n" + trace(broken));
    System.out.println("kept " + kept);
    service.close();
    if (network.isPresent()) {
      network.get().join();
    }
    begin();
  }

  private static String trace(Throwable broken) {
    return Stream.of(broken.getStackTrace())
        .map(StackTraceElement::toString)
        .collect(Collectors.joining("\n"));
  }

  private void round(int round) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED + round);
    List<Trouble> troubles = Trouble.random(random.split());
    JobsOfRound jobs =
        new JobsOfRound(service.service(), "r" + round, random.split(), TroubledService.FAR);
    Timeline times = new Timeline();
    CompletableFuture<Void> user = CompletableFuture.runAsync(() -> run(jobs));
    service.suffer(troubles);
    final long undone = times.millis();
    service.awaitWhole();
    final long whole = times.millis();
    user.join();
    service.awaitAllOver();
    final long over = times.millis();
    check(jobs);
    int ahead = Math.max(0, jobs.array().mostOnNodes() - service.room());
    roundsAhead += ahead > 0 ? 1 : 0;
    quickRounds += jobs.array().wasQuick() ? 1 : 0;
    leftOut += (int) service.notDone().stream().filter(what -> what.startsWith("left out")).count();
    System.out.printf(
        "round %3d seed %d: %s -> undone %d, whole %d, jobs over %d, checked %d ms;"
            + " %d tasks, %d jobs cancelled, %d tasks ahead %s%n",
        round,
        SEED + round,
        troubles.stream().map(Trouble::toString).collect(Collectors.joining(", ")),
        undone,
        whole,
        over,
        times.millis(),
        jobs.tasks(),
        jobs.cancelled(),
        ahead,
        service.notDone().isEmpty() ? "" : service.notDone());
  }

  private static void run(JobsOfRound jobs) {
    try {
      jobs.run();
    } catch (Exception fault) {
      throw new AssertionError(fault);
    }
  }

  private void check(JobsOfRound jobs) throws IOException {
    List<String> faults = new ArrayList<>(jobs.faults(service.struck()));
    List<Long> living = TaskLines.living(service.service().home().getParent());
    if (!living.isEmpty()) {
      faults.add("all jobs are over, and these processes of tasks live: " + living);
    }
    ends.putAll(jobs.ends());
    noteSizes();
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults));
    }
  }

  /** How much the tasks of jobs that are over have said. */
  private void noteSizes() throws IOException {
    try (Stream<Path> files = Files.list(service.service().home().resolveSibling("lines"))) {
      for (Path file : files.filter(file -> !sizes.containsKey(file)).toList()) {
        sizes.put(file, Files.size(file));
      }
    }
  }

  private void checkSizes() throws IOException {
    for (Map.Entry<Path, Long> size : sizes.entrySet()) {
      if (size.getValue() != Files.size(size.getKey())) {
        throw new AssertionError(size.getKey() + " was written to after the end of its job");
      }
    }
  }

  /** Nothing is left of a service that is stopped, and the next one knows all that it has said. */
  private void stretch(boolean goesOn) throws IOException {
    Timeline times = new Timeline();
    service.stop();
    final long stopped = times.millis();
    checkSizes();
    if (goesOn) {
      service.start();
      checkEnds();
    }
    System.out.println(
        "stopped in "
            + stopped
            + " ms, nothing left; again in "
            + (times.millis() - stopped)
            + " ms");
  }

  private void checkEnds() throws IOException {
    Map<Long, String> now = new HashMap<>();
    for (JsonNode job : service.service().client().get("/jobs?all&limit=10000").path("jobs")) {
      now.put(job.path("id").asLong(), job.path("state").asText());
    }
    ends.forEach(
        (job, end) -> {
          if (!end.equals(now.get(job))) {
            throw new AssertionError("job " + job + " was " + end + " and is " + now.get(job));
          }
        });
  }
}
