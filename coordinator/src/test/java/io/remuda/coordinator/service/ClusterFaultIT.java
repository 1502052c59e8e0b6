package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.coordinator.testkit.HostsNetwork;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds in which users submit jobs to all members of a cluster while its leader, its followers,
 * its store and the network between them are killed, stopped and cut. What was acknowledged must be
 * known and come to its end, nothing may run twice at once or again without retries, and no key may
 * make two jobs ({@link JobsOfRound}). With {@code -Pfaults} only; {@code -Dfaults.rounds=N} and
 * {@code -Dfaults.seed=S}. What is known of a failure stays in {@code target/faults}.
 */
class ClusterFaultIT {
  private static final int ROUNDS = Integer.getInteger("faults.rounds", 5);
  private static final long SEED = Long.getLong("faults.seed", System.currentTimeMillis());

  /** Of tasks of which ten run at once: the hosts share the two cores of their machine. */
  private static final double CPUS = 0.2;

  @TempDir private Path folder;
  private final List<String> failures = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<Long, String> ends = new HashMap<>();
  private Optional<HostsNetwork> network = Optional.empty();
  private TroubledCluster cluster;
  private int clusters;
  private long epoch;

  @BeforeEach
  void open() throws Exception {
    network = TroubledCluster.network();
    begin();
  }

  @AfterEach
  void close() {
    if (cluster != null) {
      cluster.close();
    }
    network.ifPresent(HostsNetwork::close);
  }

  private void begin() throws Exception {
    ends.clear();
    epoch = 0;
    cluster = TroubledCluster.start(folder.resolve("c" + clusters++), network);
  }

  @Test
  void nothing_is_lost_and_nothing_runs_twice_whatever_dies() throws Exception {
    System.out.println("faults: " + ROUNDS + " rounds, -Dfaults.seed=" + SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try {
        round(round);
      } catch (AssertionError | CompletionException | SQLException | IOException broken) {
        failed(round, broken);
      }
    }
    counts.forEach((what, count) -> System.out.printf("faults: %-28s %d%n", what, count));
    System.out.println("faults: " + ROUNDS + " rounds, " + failures.size() + " failures");
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
  }

  private void round(int round) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED + round);
    List<ClusterTrouble> troubles = ClusterTrouble.random(random.split());
    Timeline times = new Timeline();
    List<JobsOfRound> users = new ArrayList<>();
    List<CompletableFuture<Void>> submitting = new ArrayList<>();
    for (int user = 0; user < TroubledCluster.MEMBERS.size() + 1; user++) {
      String name = "r" + round + "-" + user;
      String member = TroubledCluster.MEMBERS.get(user % TroubledCluster.MEMBERS.size());
      JobsOfRound jobs =
          new JobsOfRound(
              cluster.cluster().member(member),
              name,
              random.split(),
              TroubledCluster.FAR,
              random.nextInt(6000));
      users.add(jobs);
      submitting.add(CompletableFuture.runAsync(() -> run(jobs), task -> start(name, task)));
    }
    cluster.suffer(troubles);
    final long undone = times.millis();
    cluster.awaitWhole();
    final long whole = times.millis();
    submitting.forEach(CompletableFuture::join);
    cluster.awaitAllOver();
    final long over = times.millis();
    check(users);
    System.out.printf(
        "round %3d seed %d: %s -> undone %d, whole %d, jobs over %d, checked %d ms; %d tasks,"
            + " %d tries without a yes, %d jobs cancelled %s%n",
        round,
        SEED + round,
        troubles.stream().map(ClusterTrouble::toString).collect(Collectors.joining(", ")),
        undone,
        whole,
        over,
        times.millis(),
        users.stream().mapToInt(JobsOfRound::tasks).sum(),
        users.stream().mapToInt(JobsOfRound::repeated).sum(),
        users.stream().mapToInt(JobsOfRound::cancelled).sum(),
        cluster.notDone().isEmpty() ? "" : cluster.notDone());
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void run(JobsOfRound jobs) {
    try {
      jobs.run();
    } catch (Exception fault) {
      throw new AssertionError(fault);
    }
  }

  private void check(List<JobsOfRound> users) throws IOException, SQLException {
    List<String> faults = new ArrayList<>();
    for (JobsOfRound user : users) {
      faults.addAll(user.faults(new Struck(java.util.Set.of(), List.of(), java.util.Map.of())));
      faults.addAll(user.submitAgain());
      ends.putAll(user.ends());
      count("submissions acknowledged", user.accepted());
      count("tries without a yes", user.repeated());
      count("tasks", user.tasks());
      count("executions", user.executions());
      count("jobs cancelled", user.cancelled());
    }
    for (String name : TroubledCluster.MEMBERS) {
      Path place = cluster.cluster().member(name).home().getParent();
      List<Long> living = TaskLines.living(place);
      if (!living.isEmpty()) {
        faults.add("all jobs are over, and these processes of tasks live: " + living);
      }
    }
    faults.addAll(checkStore());
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults));
    }
  }

  private void count(String what, int more) {
    counts.merge(what, more, Integer::sum);
  }

  /** What the database says: all jobs of all rounds, each key once, no event missing. */
  private List<String> checkStore() throws SQLException {
    List<String> faults = new ArrayList<>();
    faults.addAll(
        cluster
            .store()
            .column(
                "SELECT 'key ' || client_key || ' made two jobs' FROM remuda.jobs"
                    + " WHERE client_key IS NOT NULL GROUP BY \"user\", client_key"
                    + " HAVING count(*) > 1"));
    Map<String, String> now = new HashMap<>();
    for (String row :
        cluster.store().column("SELECT id || ' ' || lower(state) FROM remuda.jobs ORDER BY id")) {
      now.put(row.split(" ")[0], row.split(" ")[1]);
    }
    ends.forEach(
        (job, end) -> {
          if (!end.equals(now.get(Long.toString(job)))) {
            faults.add("job " + job + " was " + end + " and is " + now.get(Long.toString(job)));
          }
        });
    long missing =
        cluster.store().number("SELECT coalesce(max(sequence), 0) - count(*) FROM remuda.events");
    if (missing != 0) {
      faults.add(missing + " events are missing");
    }
    long next = epochNow();
    if (next < epoch) {
      faults.add("the epoch was " + epoch + " and is " + next);
    }
    epoch = next;
    return faults;
  }

  private long epochNow() throws SQLException {
    return cluster.store().number("SELECT value::bigint FROM remuda.meta WHERE key = 'epoch'");
  }

  private void failed(int round, Throwable broken) throws Exception {
    String what = "round " + round + ", seed " + (SEED + round) + ": " + broken.getMessage();
    failures.add(what.lines().limit(6).collect(Collectors.joining("\n")));
    System.out.println(
        "FAILED "
            + ClusterTrouble.random(new SplittableRandom(SEED + round).split())
            + " "
            + what.substring(0, Math.min(2000, what.length())));
    Path kept = Path.of("target", "faults", "cluster-" + SEED + "-" + round).toAbsolutePath();
    cluster.keep(kept, broken + "\n" + trace(broken));
    System.out.println("kept " + kept);
    cluster.close();
    begin();
  }

  private static String trace(Throwable broken) {
    return Stream.of(broken.getStackTrace())
        .map(StackTraceElement::toString)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void a_leader_that_was_stopped_for_a_minute_writes_nothing_and_orders_nothing() throws Exception {
    assumeTrue(network.isPresent(), "skipped: its writes are known by the address of its host");
    WriteAudit audit = new WriteAudit(cluster.store());
    String old = cluster.cluster().leader("a");
    String follower = cluster.cluster().follower(old);
    ServiceProcess user = cluster.cluster().member(follower);
    List<Long> jobs = new ArrayList<>();
    for (int job = 0; job < 6; job++) { // more than fit at once, so that the leader has orders left
      jobs.add(
          user.submit(
              "exec " + TaskLines.COMMAND + "20 0.1 0", "count", 20, "cpus", CPUS, "retries", 0));
    }
    user.awaitState(jobs.get(0), "running");
    final long before = epochNow();
    cluster.cluster().signal(old, "STOP");
    Thread.sleep(60_000);
    final long after = epochNow();
    assertTrue(after > before, "no other leader");
    for (int job = 0; job < 3; job++) {
      jobs.add(user.submit("exec " + TaskLines.COMMAND + "20 0.1 0", "count", 20, "cpus", CPUS));
    }
    cluster.cluster().signal(old, "CONT");
    cluster.awaitWhole(); // it was removed, and has joined again
    cluster.awaitAllOver();
    List<String> faults = new ArrayList<>();
    int executions = 0;
    for (long job : jobs) {
      assertEquals("succeeded", user.client().get("/jobs/" + job).path("state").asText());
      for (int task = 0; task < 20; task++) {
        TaskLines lines = TaskLines.read(user.home().getParent(), job + "." + task);
        faults.addAll(lines.faults());
        executions += lines.attempts();
      }
    }
    faults.addAll(checkStore());
    List<String> late = audit.writesFrom(cluster.address(old).orElseThrow(), after);
    System.out.printf(
        "faults: stopped leader %s: %d writes before, %d by the next leader, %d by it after the"
            + " epoch %d; %d tasks, %d executions%n",
        old, audit.writesIn(before), audit.writesIn(after), late.size(), after, 9 * 20, executions);
    assertEquals(List.of(), late);
    assertEquals(List.of(), faults);
    assertEquals(9 * 20, executions);
    assertTrue(audit.writesIn(after) > 0, "the audit sees nothing");
  }

  @Test
  void a_leader_that_alone_has_lost_the_database_hands_over_and_joins_again() throws Exception {
    assumeTrue(network.isPresent(), "skipped: one host cannot be kept from the database");
    String old = cluster.cluster().leader("a");
    String follower = cluster.cluster().follower(old);
    ServiceProcess user = cluster.cluster().member(follower);
    network.get().hide(TroubledCluster.STORE, old);
    long began = System.nanoTime();
    cluster.cluster().awaitOtherLeader(follower, old);
    long job = user.submit("true", "cpus", CPUS);
    System.out.printf(
        "faults: another leads after %d ms%n", (System.nanoTime() - began) / 1_000_000);
    assertEquals("succeeded", user.awaitState(job, "succeeded").path("state").asText());
    network.get().show(TroubledCluster.STORE, old);
    cluster.awaitWhole();
  }

  @Test
  void a_leader_that_reaches_only_the_database_leads_no_more_and_takes_no_epoch() throws Exception {
    assumeTrue(network.isPresent(), "skipped: one host cannot be kept from the others");
    String old = cluster.cluster().leader("a");
    String follower = cluster.cluster().follower(old);
    for (String other : TroubledCluster.MEMBERS) {
      if (!other.equals(old)) {
        network.get().hide(other, old);
      }
    }
    String next = cluster.cluster().awaitOtherLeader(follower, old);
    long epoch = epochAt(follower);
    cluster
        .cluster()
        .member(old)
        .await("a member that knows no leader", Duration.ofSeconds(60), () -> epochAt(old) == 0);
    ServiceProcess user = cluster.cluster().member(follower);
    assertEquals(
        "succeeded",
        user.awaitState(user.submit("true", "cpus", CPUS), "succeeded").path("state").asText());
    for (String other : TroubledCluster.MEMBERS) {
      if (!other.equals(old)) {
        network.get().show(other, old);
      }
    }
    cluster.awaitWhole();
    assertEquals(next, cluster.cluster().leader(old));
    assertEquals(epoch, epochAt(old), "somebody has begun to lead meanwhile");
  }

  /** The epoch of the leader as a member knows it; 0 for none. */
  private long epochAt(String member) throws IOException {
    return cluster.cluster().member(member).client().get("/cluster").at("/leader/epoch").asLong();
  }
}
