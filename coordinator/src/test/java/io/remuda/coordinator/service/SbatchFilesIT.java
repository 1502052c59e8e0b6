package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of scripts for sbatch have the names and the content that sbatch gives them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SbatchFilesIT {

  private static final String BOTH = "echo out; echo err >&2";

  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--cpus", "4");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private String script(String head, String body) throws IOException {
    String text = "#!/bin/sh\n" + (head.isEmpty() ? "" : "#SBATCH " + head + "\n") + body + "\n";
    return Files.writeString(folder.resolve("s.sh"), text).toString();
  }

  /** Submits in the folder of this test, and returns the job when it has ended. */
  private long ended(String... words) throws Exception {
    Result submitted = service.cliIn(folder, null, words);
    assertEquals(0, submitted.code(), submitted.err());
    assertTrue(submitted.out().matches("\\d+\\n"), "a script reads it: " + submitted.out());
    long job = Long.parseLong(submitted.out().strip());
    service.awaitEnd(job);
    return job;
  }

  private String file(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(one -> one.getFileName().toString())
          .filter(name -> !name.equals("s.sh"))
          .sorted()
          .toList();
    }
  }

  @Test
  void a_script_of_sbatch_has_its_output_in_its_file_and_all_commands_read_it() throws Exception {
    long job = ended("submit", script("-c 1", BOTH + "; exit 3"));
    String name = "slurm-" + job + ".out";
    assertEquals("out\nerr\n", file(name));
    String show = service.cli("show", "" + job).out();
    assertAll(
        () -> assertEquals(List.of(name), names()),
        () -> assertEquals("out\nerr\n", service.cli("logs", "" + job).out()),
        () -> assertEquals("out\nerr\n", service.cli("logs", "-f", "" + job).out()),
        () -> assertTrue(show.contains("failed: exit code 3: err"), show),
        () -> assertTrue(show.contains("slurm-%j.out, which is " + folder.resolve(name)), show));
  }

  @Test
  void the_file_is_in_the_folder_that_the_job_works_in_also_of_a_script_on_stdin()
      throws Exception {
    Path sub = Files.createDirectory(folder.resolve("sub"));
    long job = ended("submit", script("-D " + sub, BOTH));
    assertEquals("out\nerr\n", file("sub/slurm-" + job + ".out"));
    String text = "#!/bin/sh\n#SBATCH -e e\necho in; echo err >&2\n";
    Result piped =
        service.cliIn(
            folder, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "submit");
    long second = Long.parseLong(piped.out().strip());
    service.awaitEnd(second);
    assertEquals("in\n", file("slurm-" + second + ".out"));
    assertEquals("err\n", file("e"));
  }

  @Test
  void the_tasks_of_an_array_have_files_by_their_indices_and_numbers() throws Exception {
    long job = ended("submit", script("-a 7-8", BOTH));
    assertEquals(List.of("slurm-" + job + "_7.out", "slurm-" + job + "_8.out"), names());
    assertEquals("out\nerr\n", file("slurm-" + job + "_8.out"));
    assertEquals("out\nerr\n", service.cli("logs", "" + (job + 2)).out(), "by its own number");
    long own =
        ended(
            "submit",
            script(
                "-a 7-8 -o f-%j-%A-%a-%t-%J-%s-%n-%u-%x-%%-%b -e %5j.err", "echo $SLURM_JOB_ID"));
    for (int task = 1; task <= 2; task++) {
      long number = own + task;
      String name = "f-%d-%d-%d-0-%d-batch-0-%s-s.sh-%%-%%b";
      String user = System.getProperty("user.name");
      assertEquals(number + "\n", file(String.format(name, number, own, 6 + task, number, user)));
      assertEquals("", file(String.format("%05d.err", number)));
    }
  }

  @Test
  void what_has_another_place_or_is_no_script_of_sbatch_makes_no_file() throws Exception {
    ended("submit", script("", BOTH));
    ended("submit", script("", BOTH + "; echo $SLURM_JOB_ID"));
    ended("submit", "--", "/bin/sh", "-c", BOTH);
    Result run = service.cliIn(folder, null, "run", script("-c 1", BOTH));
    assertEquals(new Result(0, "out\n", "err\n"), run);
    assertEquals(List.of(), names());
    ended("submit", "--output", "mine", script("-c 1", BOTH));
    assertEquals(List.of("mine"), names());
    ended("submit", script("-o none", BOTH));
    assertEquals(List.of("mine"), names());
  }

  @Test
  void a_setting_leaves_the_output_with_the_node() throws Exception {
    String script = script("-c 1", BOTH);
    String[] words = {"submit", "--workdir", folder.toString(), script};
    Result kept = service.cli(Map.of("REMUDA_SLURM_OUTPUT", "node"), words);
    long job = Long.parseLong(kept.out().strip());
    service.awaitEnd(job);
    assertEquals(List.of(), names());
    assertEquals("out\n", service.log(job, 0, "out"));
    assertEquals("err\n", service.log(job, 0, "err"));
    Result wrong = service.cli(Map.of("REMUDA_SLURM_OUTPUT", "no"), words);
    assertEquals(2, wrong.code());
    assertTrue(wrong.err().contains("REMUDA_SLURM_OUTPUT must be file or node, got 'no'"));
    Result usual = service.cli(Map.of("REMUDA_SLURM_OUTPUT", "file"), words);
    service.awaitEnd(Long.parseLong(usual.out().strip()));
    assertEquals(List.of("slurm-" + usual.out().strip() + ".out"), names());
  }

  @Test
  void a_job_runs_where_the_file_of_sbatch_cannot_be_written() throws Exception {
    long next = ended("submit", "true") + 1;
    Files.createDirectory(folder.resolve("slurm-" + next + ".out"));
    long job = ended("submit", script("-c 1", BOTH));
    assertEquals(next, job);
    assertEquals("out\n", service.log(job, 0, "out"));
    String err = service.log(job, 0, "err");
    assertTrue(err.startsWith("remuda: this task's output is in remuda logs alone: "), err);
    assertTrue(err.endsWith("\nerr\n"), err);
    String show = service.cli("show", "" + job).out();
    String kept = "exit code 0; its output is in remuda logs alone: output " + folder + "/slurm-";
    assertTrue(show.contains(kept + job + ".out cannot be written (on "), show);
  }

  @Test
  void all_tasks_of_a_count_share_the_file_of_the_job() throws Exception {
    long job = ended("submit", "-n", "3", script("-c 1", "echo $REMUDA_TASK_INDEX"));
    List<String> lines = file("slurm-" + job + ".out").lines().sorted().toList();
    assertEquals(List.of("0", "1", "2"), lines);
    assertEquals(
        lines, service.cli("logs", "" + job).out().lines().sorted().toList(), "once, unnamed");
  }

  @Test
  void nothing_of_the_files_is_left_in_the_environment_of_the_tasks() throws Exception {
    long job = ended("submit", script("-c 1", "env"));
    assertFalse(file("slurm-" + job + ".out").contains("REMUDA_SBATCH_FILES"));
  }
}
