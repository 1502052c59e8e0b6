package io.remuda.coordinator.service;

import static java.util.Collections.disjoint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.training.TrainingFolderMounts;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trainings that speak the protocol of epochs, on a node of one core. */
@Timeout(240)
class TrainingIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static ServiceProcess service;

  /** The working folder of a test's jobs. */
  @TempDir private Path folder;

  @BeforeAll
  static void make() throws Exception {
    service = new ServiceProcess(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--cpus", "1");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @BeforeEach
  void copyScript() throws Exception {
    try (InputStream script = TrainingIT.class.getResourceAsStream("/training_client.py")) {
      Files.copy(script, folder.resolve("train.py"));
    }
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
    return submit("exec python3 train.py", fields.toArray());
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

  private List<String> log() throws Exception {
    return Files.readAllLines(folder.resolve("log"));
  }

  private void eachEpochOnce(int epochs) throws Exception {
    assertEquals(
        IntStream.range(0, epochs).mapToObj(epoch -> "epoch " + epoch).toList(),
        log().stream().filter(line -> line.startsWith("epoch ")).toList(),
        () -> log0());
    assertEquals("done", log().get(log().size() - 1));
  }

  private String log0() {
    try {
      return String.join("\n", log());
    } catch (Exception unreadable) {
      return unreadable.toString();
    }
  }

  @Test
  void an_undisturbed_training_does_its_epochs_and_shows_them() throws Exception {
    long job = training(4);
    assertEquals("succeeded", end(job));
    eachEpochOnce(4);
    JsonNode shown = show(job);
    assertEquals(4, shown.path("epochsDone").asInt(), shown.toString());
    assertTrue(shown.path("epochMeasured").asBoolean(), shown.toString());
    assertTrue(shown.path("epochMillis").asLong() >= 300, shown.toString());
    assertTrue(service.cli("show", "" + job).out().contains("4 of 4 done"));
    assertTrue(service.cli("state", "--all").out().contains("[##########] 4/4"));
    assertFalse(log0().contains("fault"), log0());
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
    eachEpochOnce(50);
    List<String> log = log();
    String second = log.get(log.indexOf("urgent") + 1);
    assertTrue(second.matches("begin 2 at (\\d+), saved \\1"), log0());
    JsonNode attempt = show(low).path("attempts").path(0);
    assertEquals(1, attempt.path("preemptions").asInt(), attempt.toString());
    assertEquals(0, attempt.path("exitCode").asInt(), attempt.toString());
    assertTrue(attempt.path("lostMillis").asLong() < 3000, attempt.toString());
  }

  private boolean hasAgent() throws Exception {
    JsonNode node = service.client().get("/nodes").path("nodes").path(0);
    return service.members().stream().anyMatch(member -> member.role() == Role.AGENT)
        && node.path("state").asText().equals("ready");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COORDINATOR", "AGENT", "COORDINATOR AGENT"})
  void it_leaves_and_goes_on_though_they_are_killed_meanwhile(String victims) throws Exception {
    long low = training(12);
    Path wait = Files.createFile(folder.resolve("wait"));
    awaitEpochs(low, 1);
    long high = service.submit("true", "priority", 5, "cpus", 1);
    awaitState(low, "stopping");
    List<Member> killed = new ArrayList<>();
    for (String victim : victims.split(" ")) {
      Member member = service.member(Role.valueOf(victim));
      member.signal("KILL");
      killed.add(member);
    }
    service.await("their end", SOON, () -> disjoint(service.members(), killed));
    if (victims.contains("COORDINATOR")) {
      service.serve("--cpus", "1");
    } else {
      service.await("an agent", SOON, this::hasAgent);
    }
    Files.delete(wait);
    assertEquals("succeeded", end(high));
    assertEquals("succeeded", end(low));
    eachEpochOnce(12);
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
    assertEquals(List.of("saved"), log());
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
