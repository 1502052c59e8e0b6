package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two trainings on the only GPU of a node, over the C driver, of which one was promised a speed.
 * They say how long an epoch took as the test has it.
 */
@Timeout(300)
class SharePromiseIT {

  private static final Duration SOON = Duration.ofSeconds(120);

  /** Seconds of an epoch; less than it takes, since a longer one is not believed. */
  private static final double ALONE = 0.1;

  private static final double SLOW = 0.17;
  private static final int MEBIBYTES = 3 * SharedGpus.GIB;

  /**
   * {@code hold.sh FOLDER}: a training in that folder, which has GPU memory as long as it lives.
   */
  private static final String HOLD =
      """
      cd %s
      exec 9>lock
      change() {
        flock 9
        case $1 in
          +) echo "gpu 0 process $$ %dMiB" > process.$REMUDA_TASK ;;
          -) rm -f process.$REMUDA_TASK ;;
        esac
        cat machine process.* > next && mv next simulated-nvml.txt
        flock -u 9
      }
      trap 'change -' EXIT
      change +
      cd "$1"
      python3 train.py 9>&-
      """;

  @TempDir private static Path home;
  private static Cluster service;

  @BeforeAll
  static void serve() throws IOException {
    SharedGpus gpus = new SharedGpus(home, 1);
    Files.writeString(home.resolve("hold.sh"), HOLD.formatted(home, MEBIBYTES));
    service = gpus.serve();
    service.agent("n1");
    service.awaitNode("n1", "ready");
  }

  @AfterAll
  static void close() {
    service.close();
  }

  /** Says how long the epochs of a type's trainings take from now on, in seconds. */
  private static void epochsTake(String type, double seconds) throws IOException {
    Path draft = home.resolve(type).resolve("draft");
    Files.writeString(draft, Double.toString(seconds));
    Files.move(draft, draft.resolveSibling("told"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static long training(String type, int epochs, Object... more) throws IOException {
    Path folder = Files.createDirectories(home.resolve(type));
    Files.deleteIfExists(folder.resolve("train.py"));
    Files.deleteIfExists(folder.resolve("log"));
    TrainingLog.prepare(folder);
    Object[] fields = {
      "cpus",
      0,
      "gpuMem",
      "auto",
      "type",
      type,
      "epochs",
      epochs,
      "snapshots",
      folder.resolve("snapshots").toString()
    };
    Object[] all = new Object[fields.length + more.length];
    System.arraycopy(fields, 0, all, 0, fields.length);
    System.arraycopy(more, 0, all, fields.length, more.length);
    return service.submit("exec sh " + home + "/hold.sh " + folder, all);
  }

  /** Runs a first training of a type, which has the GPU to itself. */
  private static void measured(String type) throws IOException {
    Files.createDirectories(home.resolve(type));
    epochsTake(type, ALONE);
    JsonNode ended = service.awaitEnd(training(type, 3));
    assertEquals("succeeded", ended.path("state").asText(), ended::toString);
  }

  private static long epochs(String type) throws IOException {
    Path log = home.resolve(type).resolve("log");
    return Files.exists(log)
        ? Files.readAllLines(log).stream().filter(line -> line.startsWith("epoch ")).count()
        : 0;
  }

  private static String state(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("state").asText();
  }

  @Test
  void who_came_later_leaves_at_its_next_epoch_when_a_promise_is_broken() throws Exception {
    measured("train");
    measured("eval");
    long train = training("train", 100_000, "shareIf", 0.85);
    service.awaitState(train, "running");
    service.await("an epoch alone", SOON, () -> epochs("train") > 1);
    long eval = training("eval", 100_000);
    service.awaitState(eval, "running");
    long before = epochs("train");
    service.await("epochs beside each other", SOON, () -> epochs("train") > before + 5);
    assertEquals("running", state(eval)); // the promise is kept

    epochsTake("train", SLOW);
    service.await("the one who came later has left", SOON, () -> state(eval).equals("waiting"));
    assertEquals("running", state(train));
    String left = Files.readString(home.resolve("eval").resolve("log"));
    assertTrue(left.contains("stop in "), left); // between two epochs, with its snapshot

    JsonNode task = service.client().get("/jobs/" + eval).path("attempts").path(0);
    assertEquals(1, task.path("preemptions").asInt(), task::toString);
    service.await(
        "it says for whom it waits",
        SOON,
        () ->
            service
                .cli("explain", Long.toString(eval))
                .out()
                .contains("there is room only beside"));
    String shown = service.cli("show", Long.toString(train)).out();
    assertTrue(
        shown.matches("(?s).*'train' of \\S+ has \\d+ % of its speed beside 'eval'.*"), shown);
    assertTrue(shown.contains("one GPU does the work of 1."), shown);

    assertEquals(0, service.cli("cancel", Long.toString(train)).code());
    service.awaitState(eval, "running"); // it goes on where it was
    String again = Files.readString(home.resolve("eval").resolve("log"));
    assertTrue(again.contains("begin " + eval + ".0.2 at ") || again.contains("saved "), again);
    assertEquals(0, service.cli("cancel", Long.toString(eval)).code());
  }
}
