package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A storm over a service of two nodes: for as long as it lasts server, agents and keepers are
 * killed, told to end, stopped and continued, singly and together, while users submit jobs under
 * keys, repeat what was not answered, and cancel. Half of the tasks shed their marks. Tasks write a
 * ledger of their own under locks ({@link TaskLines}).
 *
 * <p>Now and then there is calm, and the ledger is compared with what the service says. A deviation
 * is: a submission that was acknowledged and is not known, or is there twice; two executions of a
 * task at once, of one attempt twice, or of a task without retries again; a state that the ledger
 * does not bear out; a cancel that was acknowledged and not kept; a process that is left. Allowed
 * is: {@code lost}, without retries left, of tasks that were on a node while its keeper was killed
 * or stopped; and an end by SIGTERM or SIGKILL of those whose keeper was told to end, for it ends
 * its tasks.
 *
 * <p>{@code mvn -Pattack verify -Dit.test=KillStormFaultIT -Dstorm.minutes=30 -Dstorm.seed=1}. What
 * is known of a deviation stays in {@code target/faults}.
 */
@Tag("attack")
@Tag("long-attack")
@Tag("attack-kill-storm")
class KillStormFaultIT {

  private static final double MINUTES =
      Double.parseDouble(System.getProperty("storm.minutes", "1"));
  private static final long SEED = Long.getLong("storm.seed", System.currentTimeMillis());

  /** Duration of troubles between two calms. */
  private static final long SQUALL_MILLIS = 25_000;

  private static final int MOST_BETWEEN_USERS = 5000;
  private static final Duration CALM = Duration.ofMinutes(3);

  @TempDir private Path folder;
  private final List<String> deviations = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Integer> ends = new TreeMap<>();
  private final Map<String, Integer> done = new TreeMap<>();
  private TroubledService service;
  private int services;

  @AfterEach
  void close() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  @Timeout(value = 4, unit = TimeUnit.HOURS)
  void nothing_deviates_from_the_ledger_in_a_storm() throws Exception {
    System.out.printf("storm: %s minutes, -Dstorm.seed=%d%n", MINUTES, SEED);
    begin();
    long begin = System.nanoTime();
    long limit = (long) (MINUTES * TimeUnit.MINUTES.toNanos(1));
    int squalls = 0;
    while (System.nanoTime() - begin < limit) {
      long before = System.nanoTime();
      try {
        squall(squalls);
        squalls++;
      } catch (AssertionError | CompletionException broken) {
        deviated(squalls++, broken);
      }
      System.out.printf(
          "storm: squall %d in %d s, %d deviations so far%n",
          squalls, (System.nanoTime() - before) / 1_000_000_000, deviations.size());
    }
    try {
      end();
    } catch (AssertionError left) {
      deviated(squalls, left);
    }
    report(squalls, (System.nanoTime() - begin) / 1_000_000_000);
    assertTrue(deviations.isEmpty(), () -> String.join("\n", deviations));
  }

  private void begin() throws IOException {
    service = TroubledService.start(folder.resolve("s" + services++), Optional.empty());
  }

  /** Ends the service and checks that nothing of it is left. */
  private void end() throws IOException {
    service.stop();
    addDone();
  }

  private void squall(int number) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED + number);
    final List<Trouble> troubles = Trouble.storm(random.split(), SQUALL_MILLIS);
    List<JobsOfRound> users = new ArrayList<>();
    List<CompletableFuture<Void>> submitting = new ArrayList<>();
    for (long at = 0; at < SQUALL_MILLIS; at += 500 + random.nextInt(MOST_BETWEEN_USERS)) {
      String name = "s" + number + "-" + users.size();
      JobsOfRound user =
          new JobsOfRound(service.service(), name, random.split(), TroubledService.FAR, at);
      users.add(user);
      submitting.add(CompletableFuture.runAsync(() -> run(user), task -> start(name, task)));
    }
    service.suffer(troubles);
    service.awaitWhole();
    submitting.forEach(CompletableFuture::join);
    service.awaitAllOver(CALM);
    check(users);
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void run(JobsOfRound user) {
    try {
      user.run();
    } catch (Exception fault) {
      throw new AssertionError(fault);
    }
  }

  private void check(List<JobsOfRound> users) throws IOException {
    List<String> faults = new ArrayList<>();
    for (JobsOfRound user : users) {
      faults.addAll(user.faults(service.struck()));
      faults.addAll(user.submitAgain());
      counts.merge("submissions acknowledged", user.accepted(), Integer::sum);
      counts.merge("tries that got no yes", user.repeated(), Integer::sum);
      counts.merge("tasks", user.tasks(), Integer::sum);
      counts.merge("executions", user.executions(), Integer::sum);
      counts.merge("jobs cancelled", user.cancelled(), Integer::sum);
      user.tasksByEnd().forEach((end, some) -> ends.merge(end, some, Integer::sum));
    }
    List<Long> left = TaskLines.living(service.service().home().getParent());
    if (!left.isEmpty()) {
      faults.add("all jobs are over, and these processes of tasks live: " + left);
    }
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults));
    }
  }

  private void addDone() {
    service.done().forEach((what, some) -> done.merge(what, some, Integer::sum));
  }

  private void deviated(int squall, Throwable broken) throws IOException {
    String text = String.valueOf(broken.getMessage());
    deviations.add("squall " + squall + ", seed " + (SEED + squall) + ": " + text);
    System.out.println("storm: DEVIATION in squall " + squall + ": " + broken);
    Path kept = Path.of("target", "faults", "storm-" + SEED + "-" + squall).toAbsolutePath();
    service.keep(kept, String.valueOf(broken));
    System.out.println("storm: kept " + kept);
    addDone();
    service.close();
    begin();
  }

  private void report(int squalls, long seconds) {
    Map<String, Object> rows = new TreeMap<>(counts);
    rows.put("seconds", seconds);
    rows.put("squalls", squalls);
    rows.put("ends of tasks", words(ends));
    rows.put("troubles", words(done));
    rows.put("deviations", deviations.size());
    String table =
        rows.entrySet().stream()
            .map(row -> String.format("storm: %-25s %s", row.getKey(), row.getValue()))
            .collect(Collectors.joining("\n"));
    System.out.println(table);
  }

  private static String words(Map<String, Integer> some) {
    return some.entrySet().stream()
        .map(one -> one.getValue() + " " + one.getKey())
        .collect(Collectors.joining(", "));
  }
}
