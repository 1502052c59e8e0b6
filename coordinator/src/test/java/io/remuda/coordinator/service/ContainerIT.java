package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.TestContainers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks in containers behave as tasks without, and nothing of a container is left after them. */
@Timeout(180)
class ContainerIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String WAITS = "touch ready; while :; do sleep 0.1; done";

  /** Counts each SIGTERM, and needs a while to save. */
  private static final String SAVES =
      "save() { echo asked; sleep 1; touch saved; exit 7; }; trap save TERM; ";

  @TempDir private static Path folder;
  private static TestContainers containers;
  private static Cluster service;

  /** The engines that these machines can run for real. */
  enum Engine {
    PODMAN,
    BUBBLEWRAP
  }

  @BeforeAll
  static void make() throws Exception {
    containers = new TestContainers(Files.createDirectories(folder.resolve("c")));
    service = new Cluster(Installation.find(), folder.resolve("h"), containers.environment());
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void end() throws Exception {
    if (service != null) {
      service.close();
      containers.close();
    }
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    for (String name : List.of("ready", "saved")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    assertEquals("", containers.containers());
    for (String mount : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      assertFalse(mount.contains(folder.toString()), mount);
    }
    service.await("end of all tasks' processes", SOON, () -> tasks().isEmpty());
  }

  private List<String> tasks() {
    return service.members().stream()
        .map(member -> member.commandLine())
        .filter(line -> !line.contains("java"))
        .toList();
  }

  private long submit(Engine engine, String line, Object... fields) throws Exception {
    List<Object> all = new ArrayList<>(List.of(fields));
    if (engine == Engine.PODMAN) {
      containers.makeImageOnce();
      all.addAll(List.of("container", TestContainers.IMAGE));
    } else {
      containers.needBubblewrap();
      all.addAll(List.of("container", containers.root().toString(), "engine", "bubblewrap"));
    }
    return service.submit(line, all.toArray());
  }

  private JsonNode run(Engine engine, String line, Object... fields) throws Exception {
    return service.awaitEnd(submit(engine, line, fields));
  }

  private long start(Engine engine, String line, Object... fields) throws Exception {
    long job = submit(engine, line, fields);
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    return job;
  }

  private void cli(String... arguments) throws IOException {
    assertEquals(0, service.cli(arguments).code());
  }

  @ParameterizedTest
  @EnumSource
  void chosen_variables_reach_it_whatever_they_are_called(Engine engine) throws Exception {
    long job =
        submit(
            engine,
            "echo $HOME $STORAGE_DRIVER $DOCKER_HOST $TMPDIR; env | grep ^PATH=",
            "env",
            Map.of(
                "HOME", "/tmp/own",
                "STORAGE_DRIVER", "none at all",
                "DOCKER_HOST", "tcp://elsewhere:1",
                "TMPDIR", "/not/chosen",
                "PATH", "/bin:/usr/bin:/chosen"),
            "containerEnv",
            List.of("HOME", "STORAGE_DRIVER", "DOCKER_HOST", "PATH"));
    JsonNode ended = service.awaitEnd(job);
    assertEquals(
        "/tmp/own none at all tcp://elsewhere:1\nPATH=/bin:/usr/bin:/chosen\n",
        service.log(job, 0, "out"),
        () -> "" + ended);
  }

  @ParameterizedTest
  @EnumSource
  void it_prints_fails_and_sees_its_folder_variables_and_mounts(Engine engine) throws Exception {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.writeString(outside.resolve("file"), "seen\n");
    long job =
        submit(
            engine,
            "echo \"$SECRET\"; cat /in/file; touch /in/x || echo read-only; echo $0 >&2; pwd;"
                + " ls /usr; touch $REMUDA_SCRATCH/x made; echo $REMUDA_CONTAINER;"
                + " exit 5",
            "env",
            Map.of("SECRET", "a\nb", "PATH", "/nowhere"),
            "mounts",
            List.of(outside + ":/in:ro"));
    JsonNode ended = service.awaitEnd(job);
    String name = engine.name().toLowerCase(Locale.ROOT);
    String all = service.log(job, 0, "out") + service.log(job, 0, "err") + ended;
    assertEquals(
        "a\nb\nseen\nread-only\n" + folder + "\n" + name + "\n", service.log(job, 0, "out"), all);
    assertTrue(ended.path("reason").asText().startsWith("exit code 5"), all);
    assertTrue(Files.exists(folder.resolve("made")));
  }

  @ParameterizedTest
  @EnumSource
  void values_of_variables_are_in_no_arguments(Engine engine) throws Exception {
    long job = start(engine, WAITS, "env", Map.of("SECRET", "hidden-value"));
    for (Path process : processes()) {
      String line = text(process.resolve("cmdline"));
      assertFalse(line.contains("hidden-value"), line);
    }
    cli("cancel", "--now", Long.toString(job));
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
  }

  private static List<Path> processes() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(path -> path.getFileName().toString().matches("\\d+")).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException gone) {
      return "";
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cancelled_task_is_asked_once_and_has_time_to_save(Engine engine) throws Exception {
    long job = start(engine, SAVES + WAITS);
    cli("cancel", Long.toString(job));
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
    assertTrue(Files.exists(folder.resolve("saved")), service.log(job, 0, "out"));
    assertEquals("asked\n", service.log(job, 0, "out"));
  }

  @ParameterizedTest
  @EnumSource
  void a_command_without_a_handler_ends_by_sigterm_long_before_its_grace(Engine engine)
      throws Exception {
    long job = start(engine, "touch ready; exec sleep 600", "grace", "1h");
    cli("cancel", Long.toString(job));
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
  }

  @ParameterizedTest
  @EnumSource
  void a_deaf_task_is_killed_when_its_grace_is_over(Engine engine) throws Exception {
    long job = start(engine, "trap '' TERM; " + WAITS, "grace", "1s");
    cli("cancel", Long.toString(job));
    assertEquals("cancelled", service.awaitEnd(job).path("state").asText());
  }

  @ParameterizedTest
  @EnumSource
  void a_task_past_its_time_limit_gets_its_signal_and_time_to_save(Engine engine) throws Exception {
    JsonNode ended =
        run(
            engine,
            "trap 'echo warned' USR1; " + SAVES + WAITS,
            "timeLimit",
            "20s",
            "signal",
            "USR1@10s");
    assertEquals("failed", ended.path("state").asText());
    assertTrue(Files.exists(folder.resolve("saved")), ended.toString());
    assertEquals("warned\nasked\n", service.log(ended.path("id").asLong(), 0, "out"));
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_leaves_processes_behind_ends_with_them(Engine engine) throws Exception {
    JsonNode ended = run(engine, "sleep 600 & exit 0");
    assertEquals("succeeded", ended.path("state").asText());
  }

  @ParameterizedTest
  @EnumSource
  void a_task_with_more_than_its_memory_runs_again_with_more(Engine engine) throws Exception {
    long job =
        submit(
            engine,
            "echo $REMUDA_MEM_MIB >> memory; [ $REMUDA_MEM_MIB -ge 90 ] || exec tail /dev/zero",
            "mem",
            "64MiB");
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(List.of("64", "96"), Files.readAllLines(folder.resolve("memory")));
    Files.delete(folder.resolve("memory"));
    JsonNode ended = run(engine, "exec tail /dev/zero", "mem", "64MiB", "gang", true);
    assertEquals("failed", ended.path("state").asText());
    assertTrue(
        ended.path("reason").asText().endsWith("more than its --mem of 64 MiB"), ended.toString());
  }

  @Test
  void what_the_engine_refuses_is_told_in_its_words() throws Exception {
    containers.makeImageOnce();
    JsonNode image = service.awaitEnd(service.submit("true", "container", "no-such-image:7"));
    assertEquals("failed", image.path("state").asText());
    assertTrue(image.path("reason").asText().contains("image not known"), image.toString());
    JsonNode mount = run(Engine.PODMAN, "true", "mounts", List.of("/no/such/folder:/x"));
    assertTrue(mount.path("reason").asText().contains("/no/such/folder"), mount.toString());
    JsonNode folder =
        service.awaitEnd(
            service.submit("true", "container", "/no/such/root", "engine", "bubblewrap"));
    assertTrue(folder.path("reason").asText().contains("/no/such/root"), folder.toString());
  }

  @Test
  void podman_limits_cores_and_shared_memory() throws Exception {
    JsonNode ended =
        run(
            Engine.PODMAN,
            "dd if=/dev/zero of=/dev/shm/x bs=1048576 count=3",
            "shmSize",
            "2MiB",
            "cpuLimit",
            0.5);
    assertEquals("failed", ended.path("state").asText());
    assertTrue(
        service.log(ended.path("id").asLong(), 0, "err").contains("No space left"),
        ended.toString());
  }

  @ParameterizedTest
  @EnumSource
  void what_a_program_in_a_container_reports_is_kept(Engine engine) throws Exception {
    long job = id(run(engine, "echo loss 0.5 200 >> $REMUDA_METRICS"));
    service.await(
        "its value",
        SOON,
        () ->
            service
                    .client()
                    .get("/history?kind=task&from=start&name=" + job)
                    .at("/series/0/reported/0/last")
                    .asDouble()
                == 0.5);
  }

  private static long id(JsonNode job) {
    return job.path("id").asLong();
  }
}
