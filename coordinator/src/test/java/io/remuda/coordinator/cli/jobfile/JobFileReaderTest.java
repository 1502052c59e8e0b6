package io.remuda.coordinator.cli.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.OwnProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFileReaderTest {
  private static final SubmittingShellEnvironment SHELL =
      new SubmittingShellEnvironment(Map.of("HOME", "/home/me"), "0027");

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("jobs.yaml"), text);
  }

  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> jobs(String text) throws IOException, BadJobFileException {
    return (List<Map<String, Object>>)
        JobFileReader.read(file(text), new OwnProcess(), SHELL).get("jobs");
  }

  /** What is wrong, without the folder of the file. */
  private List<String> faults(Path file) {
    return assertThrows(
            BadJobFileException.class, () -> JobFileReader.read(file, new OwnProcess(), SHELL))
        .faults()
        .stream()
        .map(line -> line.replace(folder + "/", ""))
        .toList();
  }

  private List<String> faults(String text) throws IOException {
    return faults(file(text));
  }

  @Test
  void what_a_job_does_not_say_is_that_of_the_shell_and_of_the_file() throws Exception {
    assertEquals(
        List.of(
            Map.of(
                "shell",
                "make",
                "env",
                Map.of("HOME", "/home/me"),
                "umask",
                "0027",
                "workdir",
                folder.toString(),
                "project",
                folder.toString())),
        jobs("shell: make"));
  }

  @Test
  void a_job_belongs_to_the_project_of_its_folder_unless_it_has_a_type() throws Exception {
    Files.createFile(folder.resolve("setup.py"));
    assertEquals(folder.toString(), jobs("{shell: x, workdir: runs/7}").get(0).get("project"));
    assertEquals("mine", jobs("{shell: x, project: mine}").get(0).get("project"));
    assertEquals(null, jobs("{shell: x, type: mine}").get(0).get("project"));
  }

  @Test
  void what_a_job_says_counts() throws Exception {
    Map<String, Object> job =
        jobs("{shell: make, env: {}, umask: 077, workdir: sub/folder, cpus: 1, gang: true}").get(0);
    assertEquals(Map.of(), job.get("env"));
    assertEquals("077", job.get("umask"));
    assertEquals(folder + "/sub/folder", job.get("workdir"));
    assertEquals(1.0, job.get("cpus"));
    assertEquals(true, job.get("gang"));
  }

  @Test
  void a_training_has_its_fields_and_its_folders_are_below_that_of_the_file() throws Exception {
    Map<String, Object> job =
        jobs("{shell: x, epochs: 3, snapshots: snap, custom: ../own, data: /data, batchSize: 8,"
                + " trainingSetSize: 64, maxGpus: 2, estHours: 0.5}")
            .get(0);
    assertEquals(folder + "/snap", job.get("snapshots"));
    assertEquals(folder + "/../own", job.get("custom"));
    assertEquals("/data", job.get("data"));
    assertEquals(2, job.get("maxGpus"));
  }

  @Test
  void a_preemptible_job_has_its_fields() throws Exception {
    Map<String, Object> job =
        jobs("{shell: x, preemptible: true, preemptSignal: USR1, onPreempt: hold,"
                + " preemptAfter: 1m, maxPreemptions: 3}")
            .get(0);
    assertEquals("USR1", job.get("preemptSignal"));
  }

  @Test
  void the_variables_that_a_file_names_reach_a_container_whatever_they_are_called()
      throws Exception {
    assertEquals(
        List.of("PATH", "SEED"),
        jobs("{shell: x, container: img, env: {PATH: /bin, SEED: 7}}").get(0).get("containerEnv"));
    assertEquals(
        List.of("SEED"),
        jobs("{shell: x, container: img, env: {PATH: /bin, SEED: 7}, containerEnv: [SEED]}")
            .get(0)
            .get("containerEnv"));
    assertEquals(null, jobs("{shell: x, container: img}").get(0).get("containerEnv"));
    assertEquals(null, jobs("{shell: x, env: {PATH: /bin}}").get(0).get("containerEnv"));
  }

  @Test
  void a_text_is_taken_as_it_is_written() throws Exception {
    assertEquals(
        List.of("sleep", "1.50", "007", "true", "no", "~", ""),
        jobs("argv: [sleep, 1.50, 007, true, no, ~, '']").get(0).get("argv"));
    assertEquals("4090", jobs("{shell: x, gpuModel: 4090}").get(0).get("gpuModel"));
  }

  @Test
  void json_is_read_alike_tabs_and_all() throws Exception {
    assertEquals(
        List.of("a/b", "\uD83D\uDE00\n"),
        jobs("{\"jobs\": [\n\t{\"argv\": [\"a\\/b\", \"\\ud83d\\ude00\\n\"]}\n]}")
            .get(0)
            .get("argv"));
  }

  @Test
  void jobs_are_followed_by_the_name_that_they_are_given_or_have_by_their_program()
      throws Exception {
    assertEquals(
        List.of("prepare:any", "make", "17:fail"),
        jobs("""
        jobs:
        - {name: prepare, shell: a}
        - {argv: [/usr/bin/make]}
        - {shell: b, after: ['prepare:any', make, '17:fail']}
        """)
            .get(2)
            .get("after"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "mem: 6GiX => 2:6: mem: '6GiX' is not a size: write 6G, 512M, 6GiB, or a number of MiB",
        "gpuMem: -1 => 2:9: gpuMem: '-1' is not a size: write 6G, 512M, 6GiB, or a number of MiB,"
            + " or auto, or whole",
        "timeLimit: soon => 2:12: timeLimit: 'soon' is not a time: write 90s, 15m, 1h30m, 01:30:00"
            + " or 2d",
        "signal: USR1 => 2:9: signal: 'USR1' is not a signal and a time: write" + " USR1@5m",
        "timeLimit: 0 => 2:12: timeLimit must be above 0, got '0'",
        "gpuMem: 0 => 2:9: gpuMem must be above 0, got '0', or auto, or whole",
        "grace: 2h => 2:8: grace must be at most 1 h, got 2h",
        "gpu-mem: 1GiB => 2:1: unknown field 'gpu-mem': did you mean gpuMem?",
        "gpu: 1 => 2:1: unknown field 'gpu': did you mean gpus?",
        "command: ls => 2:1: unknown field 'command': did you mean argv?",
        "retires: 1 => 2:1: unknown field 'retires': did you mean retries?",
        "timeLimit: 60 => 2:12: timeLimit: 60 what? write 60s, 60m or 1h",
        "mem: {of: it} => 2:6: mem must be a text, got a map",
        "mem: => 2:5: mem has no value",
        "count: '3' => 2:8: count must be a whole number up to 2147483647, got the text '3'",
        "count: 99999999999 => 2:8: count must be a whole number up to 2147483647, got"
            + " '99999999999'",
        "count: 0 => 2:8: count must be 1 to 1000000, got 0",
        "cpus: half => 2:7: cpus must be a number, got 'half'",
        "cpus: .nan => 2:7: cpus must be a number, got '.nan'",
        "cpus: -1 => 2:7: cpus must be 0 or more, got -1.0",
        "gang: yes => 2:7: gang must be true, false or a map, got 'yes'",
        "priority: 9999999 => 2:11: priority must be -1000000 to 1000000, got 9999999",
        "policy: best => 2:9: policy must be round-robin, spread, pack, best-fit, foresight, fgd,"
            + " dot-product, random or share, got 'best'",
        "umask: 999 => 2:8: umask must be octal digits, got '999'",
        "workdir: \"a\\0\" => 2:10: folder holds a NUL character",
        "labels: [a] => 2:9: labels must be a map, as {NAME: value}, got a list",
        "labels: {zone: } => 2:15: labels.zone has no value",
        "env: {A=B: c} => 2:7: environment has a bad name 'A=B'",
        "env: {A: b, A: c} => 2:13: env.A is given twice",
        "after: prepare => 2:8: after must be a list, as [one, two], got 'prepare'",
        "after: [[a]] => 2:9: after must be a text, got a list",
        "after: [null] => 2:9: after has no value",
        "after: [prepare] => 2:9: after 'prepare': no job above has that name",
        "after: ['7:maybe'] => 2:9: a dependency is JOB or JOB:ok|any|fail|each, got '7:maybe'",
        "afterOneOf: [prepare] => 2:14: afterOneOf 'prepare': no job above has that name",
        "afterOneOf: ['7:each'] => 2:14: afterOneOf: JOB:each starts task by task, and a job starts"
            + " as a whole after one of several: use JOB:ok",
        "shell: again => 2:1: shell is given twice",
        "argv: [b] => 1:1: give argv or shell, and not both",
        "argv: [] => 2:7: argv names no program",
        "name: \"a\\nb\" => 2:7: name must be 1 to 200 printable characters, got 'a\\nb'",
        "[a]: b => 2:1: unknown field '': a job has name, argv, shell, env, workdir, umask, count,"
            + " gang, maxRunning, cpus, mem, gpus, gpuMem, gpuModel, labels, policy, priority, qos,"
            + " perGpu, shareIf, exclusive, after, afterOneOf, timeLimit, jobTimeLimit, grace,"
            + " signal, retries, preemptible, preemptSignal, onPreempt, preemptAfter,"
            + " maxPreemptions, epochs, snapshots, custom, data, batchSize, trainingSetSize,"
            + " maxGpus, estHours, container, engine, mounts, ports, shmSize, cpuLimit, pull,"
            + " containerEnv, nodes, excludeNodes, resources, begin, notifyTo, notifyOn, hold,"
            + " type, comment, project, pin, frozenTree, frozenArchive, frozenRoot, clientKey,"
            + " array, lines, entries, params, maxFails, first, firstUntil, stdin, stdinData,"
            + " stdinStream, output, error, openMode, terminal"
      })
  void a_fault_of_a_field_is_told_with_line_and_column(String line, String fault)
      throws IOException {
    assertEquals(List.of("jobs.yaml:" + fault), faults("shell: 'true'\n" + line + "\n"));
  }

  @Test
  void what_a_member_of_a_gang_is_told_cannot_be_chosen() throws Exception {
    String why =
        "Remuda sets RANK for the members of a gang: take another name, or set it in the command,"
            + " as env RANK=VALUE PROGRAM";
    for (String gang : List.of("true", "{mixed: true}", "{together: true}")) {
      assertEquals(
          List.of("jobs.yaml:1:24: env.RANK: " + why),
          faults("{shell: x, env: {A: 1, RANK: 1}, gang: " + gang + "}"));
    }
    String role = "{roles: {W: {env: {RANK: 1, REMUDA_TASK: 2}}}";
    assertEquals(
        List.of(
            "jobs.yaml:1:37: gang.roles.W.env.RANK: " + why,
            "jobs.yaml:1:46: gang.roles.W.env.REMUDA_TASK: Remuda sets REMUDA_TASK for each task:"
                + " take another name"),
        faults("{shell: x, gang: " + role + "}}"));
    String apart = "gang: {together: false, roles: {W: {env: {RANK: 1}}}}";
    for (String other : List.of("gang: false", "cpus: 1", apart)) {
      Map<?, ?> job =
          jobs("{shell: x, env: {RANK: 1, NCCL_SOCKET_IFNAME: e}, " + other + "}").get(0);
      assertEquals(Map.of("RANK", "1", "NCCL_SOCKET_IFNAME", "e"), job.get("env"), other);
    }
  }

  @Test
  void a_job_comes_after_one_that_stands_above_it() throws IOException {
    assertEquals(
        List.of(
            "jobs.yaml:2:21: after 'b': that job must come before this one",
            "jobs.yaml:3:31: after 'c': no job above has that name (there are a, a)",
            "jobs.yaml:3:34: after 'b': that job must come before this one",
            "jobs.yaml:3:37: a dependency is JOB or JOB:ok|any|fail|each, got 'a:now'"),
        faults(
            """
            jobs: [{name: a, shell: x}, {name: a,
              shell: x, after: [b]},
              {name: b, shell: x, after: [c, b, 'a:now']}]
            """));
  }

  @Test
  void all_faults_of_a_file_are_told_in_the_order_of_its_lines() throws IOException {
    assertEquals(
        List.of(
            "jobs.yaml:2:3: give the command, as argv or as shell",
            "jobs.yaml:4:10: mem: 'lots' is not a size: write 6G, 512M, 6GiB, or a number of MiB",
            "jobs.yaml:5:12: cpus must be a number, got 'all'",
            "jobs.yaml:6:3: a job is a map of fields, as name: value"),
        faults(
            """
            jobs:
            - name: first
            - shell: x
              mem:   lots
              cpus:    all
            - third
            """));
  }

  /** Found by the fuzzer: the library reads the digits without looking for the end of the file. */
  @Test
  void an_escape_that_the_end_of_the_file_cuts_off_is_a_fault_of_the_file() throws IOException {
    assertEquals(
        List.of("jobs.yaml:2:16: an escape lacks its hexadecimal digits"),
        faults("name: a\nshell: \"make \\x"));
  }

  /** Found by the fuzzer: the library refuses the tag, but not as a fault of the text. */
  @Test
  void a_tag_with_an_escape_that_is_cut_off_is_a_fault_of_the_file() throws IOException {
    List<String> faults = faults("!=clienU+%0");
    assertTrue(
        faults.get(0).startsWith("jobs.yaml:1:1: this is not YAML that can be read: Tag"),
        faults.toString());
  }

  @Test
  void of_very_many_faults_the_first_are_told() throws IOException {
    List<String> faults = faults("jobs:\n" + "- {shell: x, gpus: -1}\n".repeat(150));
    assertEquals(101, faults.size());
    assertEquals("jobs.yaml:2:20: gpus must be at least 0, got -1", faults.get(0));
    assertEquals("jobs.yaml: and 50 faults more", faults.get(100));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "shell: a: b => 1:9: mapping values are not allowed here",
        "jobs: [{shell: x} => 1:18: expected ',' or ']', but got <stream end> while parsing a flow"
            + " sequence",
        "[a, b] => 1:1: a job is a map of fields, as name: value, or there is a list of jobs:",
        "make all => 1:1: a job is a map of fields, as name: value, or there is a list of jobs:",
        "jobs: 7 => 1:7: jobs must be a list of jobs",
        "jobs: [] => 1:7: jobs must have 1 to 10000 jobs, got 0",
        "{jobs: [{shell: x}], name: y} => 1:22: no other field is allowed beside jobs:",
        "# nothing => 1:1: there is no job in it",
        "`shell: x\n---\nshell: y` => 2:1: expected a single document in the stream but found"
            + " another document",
        "`shell: 'x\n` => 2:1: found unexpected end of stream while scanning a quoted scalar, which"
            + " begins in line 1",
        "`shell: x\nname: \u20ac\u0001` => 2:8: the character U+0001 is not allowed"
      })
  void what_is_no_file_of_jobs_is_told_with_line_and_column(String text, String fault)
      throws IOException {
    assertEquals(List.of("jobs.yaml:" + fault), faults(text));
  }

  @Test
  void bytes_that_are_no_text_are_told_with_line_and_column() throws IOException {
    Path file = folder.resolve("jobs.yaml");
    Files.write(file, "shell: x\nname: M\u00fcller".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(List.of("jobs.yaml:2:8: this is not UTF-8"), faults(file));
  }

  @Test
  void a_file_in_toml_is_refused_by_its_name() throws IOException {
    Path file = Files.writeString(folder.resolve("jobs.toml"), "[[jobs]]\nshell = 'true'\n");
    assertEquals(List.of("jobs.toml: a job file is YAML or JSON, not TOML"), faults(file));
  }

  @Test
  void a_file_that_cannot_be_read_is_told() {
    assertEquals(List.of("none.yaml: no such file"), faults(folder.resolve("none.yaml")));
    assertEquals(List.of(folder + ": cannot be read: Is a directory"), faults(folder));
  }

  @Test
  void a_value_that_is_too_long_is_told_with_its_limit() throws IOException {
    assertEquals(
        List.of(
            "jobs.yaml:2:12: clientKey has at most 200 characters, got 201: '"
                + "k".repeat(60)
                + "'..."),
        faults("shell: x\nclientKey: " + "k".repeat(201)));
  }

  @Test
  void lists_that_are_too_deep_in_each_other_are_refused() throws IOException {
    assertEquals(
        List.of("jobs.yaml:1:22: lists and maps are nested deeper than 16 levels"),
        faults("argv: " + "[".repeat(100_000)));
  }

  @Test
  void aliases_cannot_make_a_small_file_large() throws IOException {
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) {
      laughs.append("a").append(i).append(": &a").append(i);
      laughs.append(" [").append("*a").append(i - 1).append(", *a").append(i - 1).append("]\n");
    }
    assertEquals(1, faults(laughs.toString()).size());
  }

  @Test
  void a_file_without_end_is_refused() {
    Path endless = Path.of("/dev/zero");
    assertEquals(List.of("/dev/zero: has more than 16777216 bytes"), faults(endless));
  }
}
