package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What options of sbatch become. */
class SbatchTranslationTest {
  private static final Set<String> KNOWN =
      Set.of(
          "--array",
          "--node",
          "--exclude",
          "--begin",
          "--output",
          "--error",
          "--stdin",
          "--open-mode",
          "--resource");

  @TempDir private Path folder;

  private SbatchTranslation of(Set<String> known, String... lines) throws IOException {
    String text = "#!/bin/bash\n#SBATCH " + String.join("\n#SBATCH ", lines) + "\ntrue\n";
    JobScript script = JobScript.read(Files.writeString(folder.resolve("job.sh"), text));
    return new SbatchTranslation(
        script,
        SbatchOptions.of(script),
        known,
        new SlurmFileNamePatterns(true, false),
        false,
        name -> null);
  }

  private Map<String, List<String>> options(String... lines) throws IOException {
    return of(KNOWN, lines).options();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--job-name=train|--name|train",
        "-J train|--name|train",
        "--job-name 'my train'|--name|my train",
        "-Jtrain|--name|train",
        "--ntasks=4|--cpus|4",
        "-n4|--cpus|4",
        "-c 8|--cpus|8",
        "--mem=4G|--mem|4096MiB",
        "--mem=4000|--mem|4000MiB",
        "--mem=1T|--mem|1048576MiB",
        "--mem=100K|--mem|1MiB",
        "--gres=gpu:2|--gpus|2",
        "--gres=gpu|--gpus|1",
        "--gres=gpu:a100:2|--gpus|2",
        "--gres=gpu:a100:2|--gpu-model|a100",
        "-G 2|--gpus|2",
        "--gpus=h100:4|--gpu-model|h100",
        "--gpus-per-node=1|--gpus|1",
        "--time=90|--time-limit|5400s",
        "-t 2:30|--time-limit|150s",
        "--time=01:30:00|--time-limit|5400s",
        "--time=1-0|--time-limit|86400s",
        "--time=2-12:30|--time-limit|217800s",
        "--time=1-00:00:01|--time-limit|86401s",
        "--chdir=/data|--workdir|/data",
        "--comment='second try'|--comment|second try",
        "-D /data|--workdir|/data",
        "--dependency=afterok:7|--after|7:ok",
        "--dependency=afternotok:7|--after|7:fail",
        "--dependency=aftercorr:7|--after|7:each",
        "--nice=5|--priority|-5",
        "--nice|--priority|-100",
        "-t 9 --signal=B:USR1@120|--signal|USR1@120s",
        "-t 9 --signal=RB:usr2@5|--signal|USR2@5s",
        "-t 9 --signal=b:10|--signal|USR1@60s",
        "-t 9 --signal=USR1@90|--signal|children:USR1@90s",
        "-t 9 --signal=R:USR1@90|--signal|children:USR1@90s",
        "-t 9 --signal=SIGTERM|--signal|children:TERM@60s",
        "-t 9 --signal=10@30|--signal|children:USR1@30s",
        "-G 2 --ntasks-per-gpu=3|--cpus|6",
        "-n 4 --ntasks-per-gpu=2|--gpus|2",
        "--mem=16gb|--mem|16384MiB",
        "--tasks-per-node=2|--cpus|2",
        "--depend=afterok:1|--after|1:ok",
        "--dependency=singleton|--after|@singleton:any",
        "--array=[1-3]|--array|1-3",
        "--array=1,1,2|--array|1-2",
        "--array=3,1|--array|1,3",
        "--array=0-9:2%3|--array|0-9:2",
        "--array=0-3%0|--array|0-3",
        "--array=%2|--array|0",
        "--array=%2|--max-running|2",
        "--array=3-5%2%1|--max-running|2",
        "--mincpus=3|--cpus|3",
        "--mincpus=2 -c 3|--cpus|3",
        "--mincpus=4 -n 2|--cpus|4",
        "--mincpus=3-8 -c 1|--cpus|3",
        "-o x --open-mode=a|--open-mode|append",
        "-i in.txt|--stdin|in.txt",
        "--licenses=lic:2|--resource|lic=2",
        "-L lic|--resource|lic=1",
        "-G 2 --cpus-per-gpu=4|--cpus|8",
        "-G 2 -C a100|--gpu-model|a100",
        "--export=ALL,A=b|--env|A=b",
        "--constraint=gpu=a100|--label|gpu=a100",
        "--array=1-9:2|--array|1-9:2",
        "--array=1-9%3|--max-running|3",
        "--output=%x-%4j_%a.out|--output|%x-%4j_%a.out",
        "-o part_%3a-%12j-%4A-%2J-%02t|--output|part_%3a-%10j-%4A-%2j-00",
        "-o %n_%3n_%s_%3s_%3x_%5N|--output|0_000_batch_batch_%x_%n",
        "-o slurm-%A_%a.%N|--output|slurm-%A_%a.%n",
        "-i none|--stdin|/dev/null",
        "-o '\\f%j'|--output|f%j",
        "-o \\\\f%j|--output|f%%j",
        "--error=100%%|--error|100%%",
        "--nodelist=n1|--node|n1",
        "-x n2|--exclude|n2",
        "--begin=now+2hours|--begin|now+2hours",
      })
  void an_option_becomes_that_of_remuda(String line, String option, String value)
      throws IOException {
    assertEquals(List.of(value), options(line).get(option));
  }

  @Test
  void several_jobs_may_have_to_end_first() throws IOException {
    assertEquals(
        Map.of("--after", List.of("1:ok", "2:ok", "3:any")),
        options("--dependency=afterok:1:2,afterany:3"));
  }

  @Test
  void one_of_several_jobs_may_have_to_end_first_and_not_also_all() throws IOException {
    assertEquals(
        Map.of("--after-one-of", List.of("1:ok", "2:ok", "3:any")),
        options("--dependency=afterok:1:2?afterany:3"));
    assertEquals(
        "job.sh:2: --dependency: 'afterok:1?afterok:2,afterok:3' has commas, for all of the jobs,"
            + " and question marks, for one of them",
        assertThrows(
                IllegalArgumentException.class,
                () -> options("--dependency=afterok:1?afterok:2,afterok:3"))
            .getMessage());
  }

  @Test
  void memory_per_cpu_is_that_of_all_cpus_of_a_task_in_any_order() throws IOException {
    assertEquals(List.of("8192MiB"), options("--mem-per-cpu=2G", "-c 4").get("--mem"));
    assertEquals(
        List.of("32768MiB"), options("--gres=gpu:a100:2", "--mem-per-gpu=16G").get("--mem"));
  }

  @Test
  void the_script_has_what_all_of_its_tasks_need() throws IOException {
    Map<String, List<String>> options =
        options("-c 2", "--ntasks=4", "--mem-per-cpu=1G", "--gpus-per-task=1");
    assertEquals(
        Map.of("--cpus", List.of("8"), "--mem", List.of("8192MiB"), "--gpus", List.of("4")),
        options);
    assertEquals(List.of("8"), options("--nodes=2", "--ntasks-per-node=4").get("--cpus"));
    assertEquals(List.of("3"), options("--ntasks=1", "-c 3").get("--cpus"));
  }

  @Test
  void what_is_asked_for_of_each_node_counts_for_all_of_them() throws IOException {
    assertEquals(
        Map.of("--cpus", List.of("2"), "--mem", List.of("16384MiB"), "--gpus", List.of("8")),
        options("--nodes=2", "--gpus-per-node=4", "--mem=8G"));
    assertEquals(List.of("4"), options("--nodes=2", "--gres=gpu:2").get("--gpus"));
    assertEquals(
        List.of("32768MiB"), options("--nodes=2", "--gres=gpu:2", "--mem-per-gpu=8G").get("--mem"));
    assertEquals(List.of("4"), options("--nodes=2", "--gpus=4").get("--gpus"));
    assertEquals(List.of("4"), options("--nodes=2", "--ntasks=4", "--gres=gpu:4").get("--gpus"));
  }

  @Test
  void nodes_count_the_tasks_and_are_ignored_only_where_their_number_is_given() throws IOException {
    assertEquals(Map.of("--cpus", List.of("2")), options("--nodes=2"));
    assertEquals(
        List.of(
            "the script runs once, on one node, with the 2 CPUs of its 2 tasks, which it starts"
                + " itself"),
        of(KNOWN, "--nodes=2").notes());
    assertEquals(
        "these options of #SBATCH have no meaning here and are ignored: --nodes",
        of(KNOWN, "--nodes=2", "--ntasks=4").notes().get(0));
  }

  @Test
  void flags_stand_without_values() throws IOException {
    Map<String, List<String>> options = options("--requeue --hold", "-H");
    assertEquals(Set.of("--preemptible", "--hold"), options.keySet());
  }

  @Test
  void an_unlimited_time_is_no_limit() throws IOException {
    assertEquals(Map.of(), options("--time=UNLIMITED"));
    assertEquals(Map.of(), options("--time=0"));
  }

  @Test
  void an_order_that_is_not_known_is_refused() {
    for (String order : List.of("expand:7", "afterok", "afterok:7,afterburstbuffer:8")) {
      String fault =
          assertThrows(IllegalArgumentException.class, () -> options("--dependency=" + order))
              .getMessage();
      assertTrue(fault.endsWith("afternotok and aftercorr of jobs are, and singleton"), fault);
    }
  }

  @Test
  void the_last_of_equal_options_counts() throws IOException {
    assertEquals(List.of("b"), options("--job-name=a", "-J b").get("--name"));
  }

  @Test
  void what_has_no_meaning_is_named_in_one_note() throws IOException {
    List<String> notes =
        of(
                KNOWN,
                "--partition=gpu --mail-type=END",
                "--mail-user ann@lab",
                "-A lab --gres=gpu:1,lscratch:10")
            .notes();
    assertEquals(
        List.of(
            "these options of #SBATCH have no meaning here and are ignored: --account,"
                + " --gres=lscratch:10, --mail-type,"
                + " --mail-user, --partition"),
        notes);
  }

  @Test
  void a_list_of_nodes_is_each_of_them() throws IOException {
    assertEquals(List.of("gpu1", "gpu2", "gpu07", "n"), options("-w gpu[1-2,07],n").get("--node"));
  }

  /** What would change a result is refused, and the message names the way here. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--exclusive;ask for all that one has",
        "--dependency=after:7+5;write afterany, or --begin",
        "--dependency=afterok:2_1;write afterok:2, or aftercorr",
        "--mem-per=1;--mem-per may be --mem-per-cpu or --mem-per-gpu: write it whole",
        "--licenses=a|b;write names and numbers",
        "--open-mode=x;neither append nor truncate",
        "-w gpu[1-;is not a list of nodes",
        "-t 9 --signal=USR1@5m;write B:USR1@120",
        "-t 9 --signal=@30;write B:USR1@120",
        "-t 9 --signal=USR1@65536;write B:USR1@120",
        "-t 9 --signal=WHAT@30;write B:USR1@120",
        "--test-only;call remuda submit --dry-run",
        "--export-file=x;write --export=ALL,NAME=VALUE",
        "--container=/c;write #REMUDA --container",
        "--nodefile=x;write the names of the nodes in --nodelist",
        "--gpus-per-socket=1;write the number of GPUs in --gpus",
        "--uid=bob;runs as the agent's account",
        "--ntasks-per-gpu=2;neither is given",
      })
  void what_is_not_possible_names_the_way_here(String line, String way) {
    IllegalArgumentException no = assertThrows(IllegalArgumentException.class, () -> options(line));
    assertTrue(no.getMessage().contains(way), no::getMessage);
  }

  @Test
  void what_has_no_effect_is_said() throws IOException {
    assertTrue(of(KNOWN, "--signal=USR1").notes().get(0).contains("without --time"));
    assertTrue(of(KNOWN, "--open-mode=append").notes().get(0).contains("--output"));
    assertTrue(of(KNOWN, "-C intel").notes().get(0).contains("--constraint=KEY=VALUE"));
    assertEquals(
        List.of(
            "these options of #SBATCH have no meaning here and are ignored:"
                + " --kill-on-invalid-dep, --mem-per-cpu=0"),
        of(KNOWN, "--kill-on-invalid-dep=no", "--mem-per-cpu=0").notes());
  }

  @Test
  void nothing_is_said_of_what_is_so_anyway() throws IOException {
    SbatchTranslation all =
        of(
            KNOWN,
            "--kill-on-invalid-dep=yes --ignore-pbs --parsable --oversubscribe -v -Q",
            "--wait-all-nodes=1 --propagate=ALL --propagate");
    assertEquals(List.of(), all.notes());
    assertEquals(Map.of(), all.options());
  }

  @Test
  void that_a_trap_of_the_script_gets_no_signal_without_a_letter_is_said() throws IOException {
    for (String trap :
        List.of("trap 'save' USR1 TERM", "  trap -- \"a\nb\" SIGUSR1", "trap f 10")) {
      List<String> notes = script("-t 9 --signal=USR1@90", trap).notes();
      assertEquals(1, notes.size(), trap);
      assertTrue(notes.get(0).endsWith("write --signal=B:USR1@90"), notes::toString);
      assertEquals(List.of(), script("-t 9 --signal=B:USR1@90", trap).notes());
    }
    for (String other : List.of("# trap 'x' USR1", "trap 'x' EXIT", "echo mousetrap x USR1")) {
      assertEquals(List.of(), script("-t 9 --signal=USR1@90", other).notes(), other);
    }
  }

  private SbatchTranslation script(String head, String text) throws IOException {
    JobScript script =
        JobScript.read(
            Files.writeString(
                folder.resolve("job.sh"), "#!/bin/bash\n#SBATCH " + head + "\n" + text + "\n"));
    return new SbatchTranslation(
        script,
        SbatchOptions.of(script),
        KNOWN,
        new SlurmFileNamePatterns(true, false),
        false,
        name -> null);
  }

  @Test
  void a_head_may_want_another_environment_and_a_submission_that_waits() throws IOException {
    assertEquals(SbatchExport.of("ALL"), of(KNOWN, "-n 1").export());
    assertFalse(of(KNOWN, "-n 1").waits());
    assertEquals(
        new SbatchExport(false, List.of("A"), Map.of("B", "c")),
        of(KNOWN, "--export=A,B=c").export());
    assertEquals(List.of("B=c"), options("--export=A,B=c").get("--env"));
    assertTrue(of(KNOWN, "-W").waits());
  }

  @Test
  void that_the_script_of_several_tasks_runs_once_is_said() throws IOException {
    SbatchTranslation four = of(KNOWN, "-n 4", "-c 2");
    assertEquals(
        List.of(
            "the script runs once, on one node, with the 8 CPUs of its 4 tasks, which it starts"
                + " itself"),
        four.notes());
    assertEquals(
        Map.of(
            "SLURM_NNODES", "1",
            "SLURM_JOB_NUM_NODES", "1",
            "SLURM_JOB_PARTITION", "remuda",
            "SLURM_TASKS_PER_NODE", "4",
            "SLURM_NTASKS", "4",
            "SLURM_NPROCS", "4",
            "SLURM_CPUS_PER_TASK", "2"),
        four.variables());
    assertEquals(2, four.threads());
    SbatchTranslation one = of(KNOWN, "-n 1");
    assertEquals(List.of(), one.notes());
    assertEquals("1", one.variables().get("SLURM_NTASKS"), "as it is asked for");
    assertFalse(of(KNOWN, "-c 1").variables().containsKey("SLURM_NTASKS"));
    Map<String, String> ofGpu = of(KNOWN, "-G 1 --ntasks-per-gpu=1").variables();
    assertEquals("1", ofGpu.get("SLURM_NTASKS"));
    assertEquals(0, one.threads());
  }

  @Test
  void what_this_build_lacks_is_ignored_and_named() throws IOException {
    SbatchTranslation without = of(Set.of(), "--array=1-3", "--nodelist=n1");
    assertEquals(Map.of(), without.options());
    assertTrue(without.notes().get(0).endsWith("--array, --nodelist"), without.notes()::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--time=soon", "--mem=much", "--nice=x", "--ntasks=few", "train.py", "--mem="})
  void a_value_that_is_none_is_refused_with_its_line(String line) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> of(KNOWN, "-J x", line));
    assertTrue(wrong.getMessage().startsWith("job.sh:3: "), wrong::getMessage);
  }

  @Test
  void a_quotation_mark_without_its_counterpart_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> of(KNOWN, "--job-name='x"));
  }

  @Test
  void a_script_that_must_not_run_again_has_no_other_try_with_more_memory() throws IOException {
    assertEquals(List.of("0"), options("--no-requeue --mem=100M").get("--retries"));
  }
}
