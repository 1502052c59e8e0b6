package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts for sbatch with steps of srun, where the machine may have no Slurm. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SrunIT {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** A Slurm of this machine must not be asked: the stand-in is last in the PATH. */
  private static final String ONLY_OURS =
      "export PATH=$(printf %s \"$PATH\" | sed 's/.*://'):/usr/local/bin:/bin:/usr/bin\n";

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("home"), Map.of());
    service.serve("--cpus", "4");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Submits a script; returns the job's number. */
  private static String submit(String head, String body, String... options) throws IOException {
    String script = "#!/bin/bash\n" + head + "\n" + ONLY_OURS + body + "\n";
    String[] words = new String[options.length + 1];
    words[0] = "submit";
    System.arraycopy(options, 0, words, 1, options.length);
    ByteArrayInputStream in = new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8));
    Result submitted = service.cliIn(Files.createTempDirectory(folder, "at"), in, words);
    assertEquals(0, submitted.code(), submitted.err());
    return submitted.out().strip();
  }

  /**
   * Returns the lines of a job's output, without those of srun itself; empty until there is any.
   */
  private static String sorted(String job) throws IOException {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      Path file =
          files.filter(one -> one.endsWith("slurm-" + job + ".out")).findFirst().orElse(null);
      return file == null
          ? ""
          : Files.readAllLines(file).stream()
              .filter(line -> !line.startsWith("srun: "))
              .sorted()
              .collect(Collectors.joining("\n"));
    }
  }

  @Test
  void steps_run_their_tasks_and_a_failing_one_gives_its_exit_code() throws IOException {
    String job =
        submit(
            "#SBATCH -n 4",
            "srun sh -c 'echo all $SLURM_PROCID $SLURM_NTASKS $SLURM_STEP_ID'\n"
                + "srun -n1 echo one & srun -n1 echo two & wait\n"
                + "srun -n2 sh -c 'exit $((SLURM_PROCID * 3))'\n"
                + "echo code $?");
    Result waited = service.cli("wait", job);
    assertEquals(0, waited.code(), waited + service.cli("logs", job).toString());
    assertEquals("all 0 4 0\nall 1 4 0\nall 2 4 0\nall 3 4 0\ncode 3\none\ntwo", sorted(job));
    String failed = submit("#SBATCH -n 2", "exec srun -l sh -c 'exit $((SLURM_PROCID + 4))'");
    service.cli("wait", failed);
    assertTrue(
        service.cli("show", failed).out().contains("exit code 5"),
        "" + service.cli("show", failed));
  }

  @Test
  void a_signal_for_the_steps_reaches_each_task_once() throws IOException {
    String job =
        submit(
            "#SBATCH -n 2",
            "srun bash -c 'exec 2>/dev/null; trap \"echo got\" USR1; trap \"exit 0\" TERM; echo ready;"
                + " while :; do sleep 0.1; done'\necho over");
    service.await("tasks", LIMIT, () -> sorted(job).equals("ready\nready"));
    assertEquals(0, service.cli("signal", "children:USR1", job).code());
    service.await("signals", LIMIT, () -> sorted(job).contains("got\ngot"));
    service.cli("cancel", "--yes", job);
    service.cli("wait", job);
    assertEquals("got\ngot\nready\nready", sorted(job));
  }

  @Test
  void the_members_of_a_gang_are_the_tasks_of_one_step() throws IOException {
    String job =
        submit(
            "#SBATCH -c 1",
            "srun sh -c 'echo $SLURM_PROCID $SLURM_NTASKS $SLURM_LOCALID'",
            "--count",
            "2",
            "--gang");
    assertEquals(0, service.cli("wait", job).code());
    assertEquals("0 2 0\n1 2 1", sorted(job), "in one file, each line when it comes");
  }
}
