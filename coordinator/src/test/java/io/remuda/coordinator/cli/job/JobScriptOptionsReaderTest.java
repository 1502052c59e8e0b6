package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** A job gets the options in the head of its script. */
class JobScriptOptionsReaderTest {
  @TempDir private Path folder;
  private final StringWriter said = new StringWriter();

  @Command
  private static final class Submission {
    @Mixin private JobOptions job = new JobOptions();
  }

  private String script(String... head) throws IOException {
    String text = "#!/bin/sh\n" + String.join("\n", head) + "\ntrue\n";
    return Files.writeString(folder.resolve("train.sh"), text).toString();
  }

  private Map<String, Object> request(String... words) {
    Submission submission = new Submission();
    CommandLine line = new CommandLine(submission).setOverwrittenOptionsAllowed(true);
    line.parseArgs(words);
    JobScriptOptionsReader.read(
        submission.job, line, new PrintWriter(said), JobScriptOptionsReader.Output.IN_FILE);
    return submission.job.request();
  }

  @Test
  void options_of_remuda_and_of_slurm_are_those_of_the_job() throws IOException {
    Map<String, Object> job =
        request(script("#REMUDA --gpus 1 --time-limit 2h", "#SBATCH --cpus-per-task=4"), "a", "-n");
    assertEquals(1, job.get("gpus"));
    assertEquals("2h", job.get("timeLimit"));
    assertEquals(4.0, job.get("cpus"));
    assertEquals("train.sh", job.get("name"));
    assertEquals(
        List.of("/bin/sh", folder.resolve("train.sh").toString(), "a", "-n"), job.get("argv"));
    assertEquals("", said.toString());
  }

  @Test
  void what_is_typed_counts_before_remudas_and_that_before_slurms() throws IOException {
    String script =
        script(
            "#REMUDA --gpus 2 --env A=script --name mine",
            "#SBATCH --gres=gpu:3 -c 3 --job-name=theirs");
    Map<String, Object> job = request("--env", "A=typed", "-G", "1", script);
    assertEquals(1, job.get("gpus"));
    assertEquals("typed", ((Map<?, ?>) job.get("env")).get("A"));
    assertEquals("mine", job.get("name"));
    assertEquals(3.0, job.get("cpus"));
  }

  @Test
  void the_letters_of_slurm_name_the_same_options() {
    Map<String, Object> job =
        request("-n4", "-c", "2", "-G1", "-J", "x", "-t", "1h", "-p", "5", "true", "-c", "9");
    assertEquals(4, job.get("count"));
    assertEquals(2.0, job.get("cpus"));
    assertEquals(1, job.get("gpus"));
    assertEquals("x", job.get("name"));
    assertEquals("1h", job.get("timeLimit"));
    assertEquals(5, job.get("priority"));
    assertEquals(List.of("true", "-c", "9"), job.get("argv"), "what follows is the command's");
  }

  @Test
  void what_has_no_meaning_is_named_in_one_warning() throws IOException {
    request(script("#SBATCH --partition=gpu", "#SBATCH --mail-type=END"));
    assertEquals(
        "remuda: warning: train.sh: these options of #SBATCH have no meaning here and are ignored:"
            + " --mail-type, --partition (docs/scripts.md)\n",
        said.toString());
  }

  @Test
  void what_changes_the_number_of_runs_has_a_warning_of_its_own() throws IOException {
    request(script("#SBATCH --ntasks=4 --qos=high", "#HQ --array=1-3", "# PBS is no directive"));
    assertEquals(
        "remuda: warning: train.sh: these options of #SBATCH have no meaning here and are ignored:"
            + " --qos (docs/scripts.md)\n"
            + "remuda: warning: train.sh: the script runs once, on one node, with the 4 CPUs of its"
            + " 4 tasks, which it starts itself (docs/scripts.md)\n"
            + "remuda: warning: train.sh: lines with #HQ are not read: write #REMUDA and options"
            + " of remuda submit (docs/scripts.md)\n",
        said.toString());
  }

  @Test
  void a_class_that_there_is_here_is_followed() throws IOException {
    assertEquals("scavenger", request(script("#SBATCH --qos=scavenger")).get("qos"));
    assertEquals("test", request(script("#SBATCH -q test")).get("qos"));
    assertEquals("", said.toString());
  }

  @Test
  void a_script_for_sbatch_is_warned_of_programs_of_slurm_that_it_calls() throws IOException {
    request(script("#SBATCH -n1", "trap 'scontrol requeue $SLURM_JOB_ID' USR1", "srun true"));
    assertEquals(
        "remuda: warning: train.sh: scontrol requeue of Slurm does not know jobs of Remuda: write"
            + " remuda requeue (docs/scripts.md)\n",
        said.toString());
    said.getBuffer().setLength(0);
    request(script("#REMUDA --gpus 1", "scancel 7"));
    assertEquals("", said.toString(), "this one is for us, and may well speak to a Slurm");
  }

  @Test
  void a_script_of_several_tasks_finds_how_many_it_may_start() throws IOException {
    Map<String, Object> job =
        request(script("#SBATCH --ntasks=4 -c 2", "mpirun -n $SLURM_NTASKS ./a # $SLURM_PROCID"));
    assertEquals(8.0, job.get("cpus"));
    Map<?, ?> env = (Map<?, ?>) job.get("env");
    assertEquals("4", env.get("SLURM_NTASKS"));
    assertEquals("4", env.get("REMUDA_SBATCH"));
    assertEquals("2", env.get("OMP_NUM_THREADS"), "each task has its part of the CPUs");
    assertNull(((Map<?, ?>) request(script("#SBATCH -c 2")).get("env")).get("OMP_NUM_THREADS"));
  }

  @Test
  void a_script_that_calls_srun_finds_one() throws IOException {
    for (String line :
        List.of("srun ./a", "  srun -n 4 ./a", "cd x && srun ./a", "exec srun ./a")) {
      assertEquals("1", environment(line).get("REMUDA_SBATCH"), line);
    }
    for (String line : List.of("# srun ./a", "echo srun is Slurm's", "./srun x", "srun_all=1")) {
      assertNull(environment(line).get("REMUDA_SBATCH"), line);
    }
    assertEquals("", said.toString());
  }

  @Test
  void members_whose_script_calls_srun_find_one_for_members() throws IOException {
    String script = script("#SBATCH -c 1", "srun ./a");
    Map<?, ?> env = (Map<?, ?>) request("--count", "2", "--gang", script).get("env");
    assertEquals("member", env.get("REMUDA_SRUN"));
    assertNull(env.get("REMUDA_SBATCH"));
    Map<?, ?> without =
        (Map<?, ?>) request("--count", "2", script("#SBATCH -c 1", "./a")).get("env");
    assertNull(without.get("REMUDA_SRUN"));
  }

  @Test
  void a_script_finds_the_ends_of_its_array() throws IOException {
    Map<String, Object> job =
        request(
            script("#SBATCH --array=3,7-20%2", "echo $SLURM_ARRAY_TASK_MAX $SLURM_ARRAY_TASK_MIN"));
    Map<?, ?> env = (Map<?, ?>) job.get("env");
    assertEquals("20", env.get("SLURM_ARRAY_TASK_MAX"));
    assertEquals("3", env.get("SLURM_ARRAY_TASK_MIN"));
    assertEquals("", said.toString());
  }

  @Test
  void a_script_for_sbatch_asks_for_all_variables_whichever_of_its_programs_reads_them()
      throws IOException {
    Map<?, ?> env = environment("#SBATCH --array=3,7-20:2 -c 2 -p gpu,cpu");
    assertEquals("1", env.get("REMUDA_SBATCH"));
    assertEquals("2", env.get("SLURM_ARRAY_TASK_STEP"));
    assertEquals("gpu", env.get("SLURM_JOB_PARTITION"));
    assertEquals("2", env.get("SLURM_CPUS_PER_TASK"));
    assertEquals(Path.of("").toAbsolutePath().toString(), env.get("SLURM_SUBMIT_DIR"));
    assertNull(env.get("SLURM_NTASKS"), "only if it is asked for");
    assertNull(environment("true").get("REMUDA_SBATCH"), "no script for sbatch");
    assertEquals("1", environment("echo $SLURM_JOB_ID").get("REMUDA_SBATCH"));
  }

  private Map<?, ?> environment(String... head) throws IOException {
    return (Map<?, ?>) request(script(head)).get("env");
  }

  @Test
  void a_script_is_warned_of_variables_that_are_kept_back() throws IOException {
    request(script("#SBATCH -n 1", "echo $SLURM_TASK_PID $SLURM_RESTART_COUNT $SLURM_GTIDS"));
    assertEquals(
        "remuda: warning: train.sh: these variables are not set here: SLURM_TASK_PID"
            + " (docs/scripts.md)\n",
        said.toString());
  }

  @Test
  void members_of_a_gang_have_the_variables_that_their_script_names() throws IOException {
    Map<String, Object> job =
        request("--gang", "-n", "2", script("#SBATCH -c 2", "echo $SLURM_PROCID"));
    Map<?, ?> env = (Map<?, ?>) job.get("env");
    assertEquals("SLURM_PROCID", env.get("REMUDA_SLURM_NAMES"));
    assertNull(env.get("REMUDA_SBATCH"));
    assertNull(env.get("SLURM_TASKS_PER_NODE"));
  }

  @Test
  void what_is_typed_is_what_the_variables_say() throws IOException {
    Map<String, Object> job = request("--mem", "8G", script("#SBATCH --mem-per-cpu=1G"));
    Map<?, ?> env = (Map<?, ?>) job.get("env");
    assertNull(env.get("SLURM_MEM_PER_CPU"));
    assertEquals("", env.get("SLURM_MEM_PER_NODE"));
  }

  @Test
  void a_script_that_moves_its_job_is_found_where_it_is() throws IOException {
    Files.createDirectory(folder.resolve("wd"));
    script("#SBATCH -D " + folder.resolve("wd"));
    Map<String, Object> job = request("--workdir", folder.toString(), "./train.sh", "a");
    assertEquals(List.of("/bin/sh", "./train.sh", "a"), job.get("argv"), "what is typed counts");
    String path = folder.resolve("train.sh").toString();
    job = request(path, "a");
    assertEquals(List.of("/bin/sh", path, "a"), job.get("argv"));
    assertEquals(folder.resolve("wd").toString(), job.get("workdir"));
    Path here = Files.writeString(Path.of("target/moves.sh"), "#!/bin/sh\n#REMUDA --workdir /\n");
    try {
      job = request("target/moves.sh", "a");
      assertEquals(List.of("/bin/sh", here.toAbsolutePath().toString(), "a"), job.get("argv"));
    } finally {
      Files.delete(here);
    }
  }

  @Test
  void a_misspelt_option_of_sbatch_is_refused() throws IOException {
    String script = script("#SBATCH --tiem=1:00");
    ParameterException wrong = assertThrows(ParameterException.class, () -> request(script));
    assertEquals(
        "train.sh:2: --tiem: sbatch has no such option: did you mean --time?", wrong.getMessage());
    request(script("#SBATCH --time-min=1 --hint=x --cluster-of-ours=3"));
  }

  @Test
  void a_wrong_directive_is_refused_with_its_line() throws IOException {
    String script = script("# a note", "#REMUDA --gpu 1");
    ParameterException wrong = assertThrows(ParameterException.class, () -> request(script));
    assertTrue(wrong.getMessage().startsWith("train.sh:3: Unknown option"), wrong::getMessage);
  }

  @Test
  void a_directive_has_no_command() throws IOException {
    String script = script("#REMUDA --gpus 1 python train.py");
    ParameterException wrong = assertThrows(ParameterException.class, () -> request(script));
    assertTrue(wrong.getMessage().contains("only options, got 'python'"), wrong::getMessage);
  }

  @Test
  void a_program_of_the_path_is_no_script() {
    assertEquals(List.of("sh", "-c", "true"), request("sh", "-c", "true").get("argv"));
  }

  private Map<String, Object> piped(String text, String... words) {
    Submission submission = new Submission();
    CommandLine line = new CommandLine(submission).setOverwrittenOptionsAllowed(true);
    line.parseArgs(words);
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    JobScriptOptionsReader.readFrom(in, submission.job, line, new PrintWriter(said));
    return submission.job.request();
  }

  @Test
  void a_script_on_stdin_goes_with_the_job() {
    String text = "#!/bin/bash -e\n#SBATCH -c 2 -J nightly\necho \"ü $SLURM_JOB_ID\"\n";
    Map<String, Object> job = piped(text, "-c", "3");
    assertEquals(List.of("/bin/bash", "-e", "-c", text), job.get("argv"));
    assertEquals("nightly", job.get("name"));
    assertEquals(3.0, job.get("cpus"));
    assertEquals("1", ((Map<?, ?>) job.get("env")).get("REMUDA_SBATCH"));
    assertEquals("stdin", piped("#!/usr/bin/env python3\nprint()\n").get("name"));
  }

  @ParameterizedTest
  @CsvSource({
    "'',give a command after --",
    "'make test\n',a script on stdin begins with #!",
    "'#!/usr/bin/awk -f\n','got #!/usr/bin/awk -f: submit it as a file'",
    "'#!/bin/sh\n#REMUDA --gpu 1\n',stdin:2: Unknown option",
    "'#!/bin/sh\n\0',it is not text in UTF-8",
  })
  void what_is_no_script_on_stdin_is_refused(String text, String why) {
    ParameterException wrong = assertThrows(ParameterException.class, () -> piped(text));
    assertTrue(wrong.getMessage().contains(why), wrong::getMessage);
  }

  @Test
  void a_script_on_stdin_is_not_longer_than_an_argument_may_be() {
    String head = "#!/bin/sh\n";
    String longest = head + "#".repeat((128 << 10) - 1 - head.length());
    assertEquals(List.of("/bin/sh", "-c", longest), piped(longest).get("argv"));
    ParameterException wrong = assertThrows(ParameterException.class, () -> piped(longest + "#"));
    assertTrue(wrong.getMessage().contains("more than 131071 bytes"), wrong::getMessage);
  }

  private String files(String... words) {
    return (String) ((Map<?, ?>) request(words).get("env")).get("REMUDA_SBATCH_FILES");
  }

  @Test
  void the_output_of_a_script_for_sbatch_is_in_the_file_of_sbatch() throws IOException {
    assertEquals("{\"output\":\"slurm-%j.out\"}", files(script("#SBATCH -c 2")));
    assertEquals("{\"output\":\"slurm-%j_%a.out\"}", files(script("#SBATCH --array=1-3")));
    assertEquals("{\"output\":\"slurm-%j_%a.out\"}", files("--array", "1", script("#SBATCH -c 2")));
    assertEquals("{\"output\":\"slurm-%j.out\"}", files("-n", "3", script("#SBATCH -c 2")));
    assertEquals("{\"output\":\"slurm-%j.out\"}", files(script("#SBATCH -c 2", "#SBATCH -e e")));
    assertNull(request(script("#SBATCH -c 2")).get("output"), "an earlier server would follow it");
  }

  @Test
  void only_a_script_with_options_of_sbatch_and_no_output_has_the_file_of_sbatch()
      throws IOException {
    assertNull(files(script("#REMUDA --cpus 2")));
    assertNull(files(script("true", "echo $SLURM_JOB_ID")));
    assertNull(files(script("#SBATCH -o x")));
    assertNull(files(script("#SBATCH -c 2", "#REMUDA --output x")));
    assertNull(files("--output", "x", script("#SBATCH -c 2")));
    Submission run = new Submission();
    CommandLine line = new CommandLine(run);
    line.parseArgs(script("#SBATCH -c 2"));
    JobScriptOptionsReader.read(
        run.job, line, new PrintWriter(said), JobScriptOptionsReader.Output.AT_NODE);
    assertNull(run.job.env().get("REMUDA_SBATCH_FILES"));
  }

  @Test
  void the_mode_of_sbatch_is_that_of_its_file() throws IOException {
    Map<String, Object> job = request(script("#SBATCH --open-mode=append"));
    assertEquals(
        "{\"output\":\"slurm-%j.out\",\"openMode\":\"append\"}",
        ((Map<?, ?>) job.get("env")).get("REMUDA_SBATCH_FILES"));
    assertNull(job.get("openMode"), "an earlier server would refuse it without a file");
    assertEquals("", said.toString());
    assertEquals(
        "append", request(script("#SBATCH --open-mode=append", "#SBATCH -e e")).get("openMode"));
  }

  @Test
  void a_frozen_tree_is_no_place_for_the_file_of_sbatch() throws IOException {
    assertEquals(
        "{\"output\":\"/a%%b/slurm-%j.out\"}",
        files("--freeze", "--workdir", "/a%b", script("#SBATCH -c 2")));
  }

  @Test
  void the_number_in_a_name_is_the_one_of_each_task_of_an_array() throws IOException {
    Map<String, Object> job =
        request(script("#SBATCH -a 1-2 -o %x-%4j_%a", "#SBATCH -e %A/%J%%j -i in%j"));
    assertEquals("%x-%4j_%a", job.get("output"), "for an earlier server");
    assertEquals("%j/%j%%j", job.get("error"));
    assertEquals(
        "{\"output\":\"%x-%4J_%a\",\"error\":\"%j/%J%%j\",\"stdin\":\"in%J\"}",
        ((Map<?, ?>) job.get("env")).get("REMUDA_SBATCH_FILES"));
    assertEquals(
        "{\"output\":\"%J.%t\"}",
        files("-o", "%j.%t", "--array", "1-2", script("#SBATCH -c 2")),
        "a name that was typed keeps the index of the task");
    assertNull(files(script("#SBATCH -o %j")), "the job has no other number");
    assertNull(files("--gang", "-n", "2", script("#SBATCH -o %j")));
  }

  @Test
  void the_index_in_a_name_of_sbatch_is_0_but_for_the_members_of_a_job() throws IOException {
    assertEquals("o0", request(script("#SBATCH -a 1-2 -o o%t")).get("output"));
    assertEquals("o%t", request("-n", "2", script("#SBATCH -o o%t")).get("output"));
    assertEquals("o%t", request(script("#REMUDA --gang -n 2", "#SBATCH -o o%t")).get("output"));
    assertEquals("o4294967294", request(script("#SBATCH -o o%a")).get("output"));
    assertEquals("o%a", request("--array", "1-2", script("#SBATCH -o o%a")).get("output"));
  }
}
