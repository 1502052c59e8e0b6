package io.remuda.worker.main;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.WorkerOrder;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import io.remuda.worker.workload.mnist.SavedStates;
import io.remuda.worker.workload.mnist.data.SmallMnist;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real worker processes with an order on the disk and an agent's end of the socket. */
class TrainingProcessTest {

  private static final Path CACHE = Path.of("target", "workload-cache").toAbsolutePath();
  private static final int KILLED = 128 + 9;
  private static final int ROUNDS = 2;
  private static final int EPOCHS = 12;
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  @TempDir Path temp;

  private final List<Process> started = new ArrayList<>();
  private int orders;

  @BeforeEach
  void drawImages() throws IOException {
    SmallMnist.draw(temp.resolve("images"), 24, 10);
  }

  @AfterEach
  void leaveNoProcess() {
    started.forEach(Process::destroyForcibly);
  }

  /** Kills at a random moment of a write; the next worker finds what the disk has then. */
  @Test
  void a_worker_killed_while_it_writes_a_snapshot_is_continued_to_equal_bits() throws Exception {
    long seed = System.nanoTime();
    System.out.println("kills by seed " + seed);
    Random random = new Random(seed);
    Path snapshots = temp.resolve("killed");
    int drafts = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Process worker = start(snapshots);
      awaitDrafts(worker, snapshots, 1 + random.nextInt(3));
      TimeUnit.MICROSECONDS.sleep(random.nextInt(10_000));
      assertTrue(worker.isAlive(), "the training ended before it was killed");
      worker.destroyForcibly();
      assertEquals(KILLED, worker.waitFor());
      drafts += drafts(snapshots).size();
    }
    System.out.println("half-written snapshots left: " + drafts + " in " + ROUNDS + " rounds");
    Path undisturbed = temp.resolve("undisturbed");
    List<WorkerEvent> events = run(snapshots);
    assertEquals(last(run(undisturbed)), last(events));
    assertFalse(events.toString().contains("damaged"), events.toString());
    Map<String, byte[]> wanted = SavedStates.newest(undisturbed);
    Map<String, byte[]> found = SavedStates.newest(snapshots);
    assertEquals(wanted.keySet(), found.keySet());
    wanted.forEach((name, bytes) -> assertArrayEquals(bytes, found.get(name), name));
  }

  @Test
  void a_worker_asked_to_stop_says_after_which_epoch_and_the_next_one_continues() throws Exception {
    Path snapshots = temp.resolve("stopped");
    List<WorkerEvent> first = run(snapshots, new ToWorker.StopAfterEpoch());
    WorkerEvent.Stopped stopped = (WorkerEvent.Stopped) last(first);
    assertEquals(EPOCHS, stopped.epochs());
    assertEquals(stopped.epoch(), epochs(first));
    List<WorkerEvent> second = run(snapshots);
    String text = "continues after epoch " + stopped.epoch() + " of " + EPOCHS;
    assertTrue(second.contains(new WorkerEvent.Said(text)), second.toString());
    assertEquals(EPOCHS - stopped.epoch(), epochs(second));
    assertInstanceOf(WorkerEvent.Trained.class, last(second));
  }

  @Test
  void a_worker_ordered_without_a_snapshot_folder_ignores_a_request_to_stop() throws Exception {
    List<WorkerEvent> events = run(null, new ToWorker.StopAfterEpoch());
    assertInstanceOf(WorkerEvent.Trained.class, last(events));
    assertEquals(EPOCHS, epochs(events));
  }

  private static long epochs(List<WorkerEvent> events) {
    return events.stream().filter(WorkerEvent.EpochDone.class::isInstance).count();
  }

  private static WorkerEvent last(List<WorkerEvent> events) {
    return events.get(events.size() - 1);
  }

  /** Runs a worker to its end and returns its events. */
  private List<WorkerEvent> run(Path snapshots, ToWorker... frames) throws Exception {
    Process worker = start(snapshots);
    try (FakeAgent agent = connect(worker)) {
      for (ToWorker frame : frames) {
        agent.send(frame);
      }
      waitFor(worker, () -> agent.events().stream().anyMatch(WorkerEvent::isLast));
      agent.send(new ToWorker.Acknowledged(agent.events().size()));
      assertTrue(worker.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      assertEquals(0, worker.exitValue(), Files.readString(output()));
      return agent.events();
    }
  }

  /** Connects once the socket is there and listens. */
  private FakeAgent connect(Process worker) throws IOException {
    FakeAgent[] agent = new FakeAgent[1];
    waitFor(
        worker,
        () -> {
          try {
            agent[0] = new FakeAgent(task());
            return true;
          } catch (SocketException notYet) {
            return false;
          }
        });
    return agent[0];
  }

  private Process start(Path snapshots) throws IOException {
    orders++;
    Files.createDirectories(task());
    MnistWorkload workload =
        new MnistWorkload(0.5, EPOCHS, 8, 10, 0.9, 1, temp.resolve("images").toString(), false);
    String folder = snapshots == null ? null : snapshots.toString();
    WorkerOrder order =
        new WorkerOrder(
            1, AttemptId.parse("1.0." + orders), workload, 1, false, CACHE.toString(), folder);
    new JsonMapper().writeValue(task().resolve(WorkerOrder.FILE).toFile(), order);
    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-XX:TieredStopAtLevel=1",
                WorkerMain.class.getName(),
                task().toString())
            .redirectErrorStream(true)
            .redirectOutput(output().toFile())
            .start();
    started.add(worker);
    return worker;
  }

  private Path task() {
    return temp.resolve("task-" + orders);
  }

  private Path output() {
    return temp.resolve("output-" + orders);
  }

  private void waitFor(Process worker, Callable<Boolean> condition) throws IOException {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> condition.call() || !worker.isAlive());
    assertTrue(worker.isAlive(), Files.readString(output()));
  }

  /** Waits for drafts of {@code count} snapshots, each of which is there for some milliseconds. */
  private void awaitDrafts(Process worker, Path snapshots, int count) throws IOException {
    Set<Path> seen = new HashSet<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (seen.size() < count) {
      seen.addAll(drafts(snapshots));
      assertTrue(worker.isAlive(), () -> "ended with " + worker.exitValue());
      assertTrue(System.nanoTime() < end, "no snapshot is written");
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static List<Path> drafts(Path snapshots) throws IOException {
    if (!Files.isDirectory(snapshots)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(snapshots)) {
      return files.filter(file -> file.toString().endsWith(".draft")).toList();
    }
  }
}
