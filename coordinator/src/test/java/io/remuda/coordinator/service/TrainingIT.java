package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.training.TrainingFolderMounts;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trainings that speak the protocol of epochs, on a node of one core. */
@Timeout(240)
class TrainingIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static Cluster service;

  /** The working folder of a test's jobs. */
  @TempDir private Path folder;

  private TrainingLog log;

  @BeforeAll
  static void make() throws Exception {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--cpus", "1");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @BeforeEach
  void copyScript() throws Exception {
    log = TrainingLog.prepare(folder);
  }

  /** Submits a line that runs in the folder of this test. */
  private long submit(String line, Object... fields) throws Exception {
    return service.submit("cd " + folder + " && " + line, fields);
  }

  private long training(int epochs, Object... more) throws Exception {
    List<Object> fields =
        new ArrayList<>(
            List.of("epochs", epochs, "snapshots", folder.resolve("snap").toString(), "cpus", 1));
    fields.addAll(List.of(more));
    return submit(TrainingLog.COMMAND, fields.toArray());
  }

  private JsonNode show(long job) throws Exception {
    return service.client().get("/jobs/" + job);
  }

  private void awaitState(long job, String wanted) throws Exception {
    service.await(
        "job " + job + " " + wanted, SOON, () -> show(job).path("state").asText().equals(wanted));
  }

  private void awaitEpochs(long job, int done) throws Exception {
    service.await(
        done + " epochs of job " + job, SOON, () -> show(job).path("epochsDone").asInt() >= done);
  }

  private String end(long job) throws Exception {
    return service.awaitEnd(job).path("state").asText();
  }

  @Test
  void an_undisturbed_training_does_its_epochs_and_shows_them() throws Exception {
    long job = training(4);
    assertEquals("succeeded", end(job));
    log.assertEachOnce(4);
    JsonNode shown = show(job);
    assertEquals(4, shown.path("epochsDone").asInt(), shown.toString());
    assertTrue(shown.path("epochMeasured").asBoolean(), shown.toString());
    assertTrue(shown.path("epochMillis").asLong() >= 300, shown.toString());
    assertTrue(service.cli("show", "" + job).out().contains("4 of 4 done"));
    assertTrue(service.cli("state", "--all").out().contains("[##########] 4/4"));
    assertFalse(log.text().contains("fault"), log.text());
  }

  @Test
  void it_leaves_between_two_epochs_for_an_urgent_job_and_goes_on_after_the_last_one_done()
      throws Exception {
    long low = training(50);
    awaitEpochs(low, 15); // at least 4.5 s of work
    long high = submit("echo urgent >> log", "priority", 5, "cpus", 1);
    assertEquals("succeeded", end(high));
    awaitState(low, "running");
    assertEquals("succeeded", end(low));
    log.assertEachOnce(50);
    List<String> lines = log.lines();
    String second = lines.get(lines.indexOf("urgent") + 1);
    assertTrue(second.matches("begin 2 at (\\d+), saved \\1"), log.text());
    JsonNode attempt = show(low).path("attempts").path(0);
    assertEquals(1, attempt.path("preemptions").asInt(), attempt.toString());
    assertEquals(0, attempt.path("exitCode").asInt(), attempt.toString());
    assertTrue(attempt.path("lostMillis").asLong() < 3000, attempt.toString());
  }

  @Test
  void it_leaves_and_goes_on_though_its_agent_is_killed_meanwhile() throws Exception {
    long low = training(12);
    Path wait = Files.createFile(folder.resolve("wait"));
    awaitEpochs(low, 1);
    long high = service.submit("true", "priority", 5, "cpus", 1);
    awaitState(low, "stopping");
    int before = service.agentStarts();
    service.killAgents();
    service.await("another agent", SOON, () -> service.agentStarts() > before && isReady());
    Files.delete(wait);
    assertEquals("succeeded", end(high));
    assertEquals("succeeded", end(low));
    log.assertEachOnce(12);
  }

  private static boolean isReady() throws Exception {
    return service.client().get("/nodes").at("/nodes/0/state").asText().equals("ready");
  }

  @Test
  void one_that_does_not_speak_gets_the_signal() throws Exception {
    long low =
        submit(
            "trap 'echo saved >> log; exit 0' TERM; touch ready; while :; do sleep 0.1; done",
            "epochs",
            9,
            "cpus",
            1);
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    long high = service.submit("true", "priority", 5, "cpus", 1);
    assertEquals("succeeded", end(high));
    awaitState(low, "running");
    assertEquals(List.of("saved"), log.lines());
    service.cli("cancel", "--now", "" + low);
  }

  @Test
  void its_folders_are_where_the_guide_says() throws Exception {
    assumeTrue(TrainingFolderMounts.in(folder).arePossible(), "no user namespaces here");
    Path data = Files.createDirectories(folder.resolve("data = sets"));
    Files.writeString(data.resolve("here"), "images");
    long job =
        submit(
            "cp /data/here /snapshots/copy; pwd > where; id -u > who",
            "epochs",
            1,
            "snapshots",
            folder.resolve("snap").toString(),
            "data",
            data.toString());
    assertEquals("succeeded", end(job));
    assertEquals("images", Files.readString(folder.resolve("snap/copy")));
    assertEquals(folder.toString(), Files.readString(folder.resolve("where")).strip());
    long other = submit("ls /snapshots");
    assertEquals("failed", end(other), "only trainings have them");
    long missing = service.submit("true", "epochs", 1, "custom", folder.resolve("none").toString());
    assertEquals("failed", end(missing));
    String why = show(missing).path("reason").asText();
    assertTrue(why.contains("there is no folder " + folder.resolve("none")), why);
  }

  @Test
  void a_training_on_the_cpu_has_every_variable_of_the_guide() throws Exception {
    long job =
        submit(
            "env > vars; nvidia-smi -q -x > smi; python3 -c 'import remuda' 2> python",
            "epochs",
            7,
            "batchSize",
            32,
            "trainingSetSize",
            6400,
            "snapshots",
            folder.resolve("made/snap").toString(),
            "cpus",
            1);
    assertEquals("succeeded", end(job));
    Map<String, String> all = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("vars"))) {
      int equals = line.indexOf('=');
      all.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
    }
    Map<String, String> wanted =
        Map.ofEntries(
            Map.entry("JOB_UUID", show(job).path("uuid").asText()),
            Map.entry("JOB_RESTARTED", "FALSE"),
            Map.entry("EPOCHS_TO_BE_DONE", "7"),
            Map.entry("EPOCHS_DONE", "0"),
            Map.entry("BATCH_SIZE", "32"),
            Map.entry("TRAINING_SET_SIZE", "6400"),
            Map.entry("NUM_GPUS", "1"),
            Map.entry("NUM_NODES", "1"),
            Map.entry("WORLD_SIZE", "1"),
            Map.entry("NODE_RANK", "0"),
            Map.entry("LOCAL_RANK", "0"),
            Map.entry("NODELIST", "127.0.0.1"),
            Map.entry("MASTER_ADDR", "127.0.0.1"),
            Map.entry("PL_TORCH_DISTRIBUTED_BACKEND", "gloo"),
            Map.entry("RESERVED_MEM", "0"));
    wanted.forEach((name, value) -> assertEquals(value, all.get(name), name));
    assertTrue(all.get("HEARTBEAT_FREQ").matches("\\d+"));
    assertTrue(all.get("MASTER_PORT").matches("\\d+"));
    assertTrue(all.get("TF_CONFIG").contains("\"worker\":[\"127.0.0.1:" + all.get("MASTER_PORT")));
    assertTrue(all.get("REMUDA_TRAINING_HOST").matches("127\\.0\\.0\\.1:\\d+"));
    assertTrue(Files.isDirectory(folder.resolve("made/snap")));
    assertEquals("", Files.readString(folder.resolve("python")));
    assertTrue(Files.readString(folder.resolve("smi")).contains("nvidia_smi_log"));
  }
}
