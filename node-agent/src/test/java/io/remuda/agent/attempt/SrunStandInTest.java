package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.SbatchScriptVariables;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The srun of scripts for sbatch, by every shell that a node or a container may have as sh. */
class SrunStandInTest {

  private static final long MOST_SECONDS = 120;

  @TempDir private Path folder;
  private Path program;
  private Path scratch;

  /** What an srun has printed, lines in alphabetical order, and its exit code. */
  private record Said(String out, String err, int code) {
    @Override
    public String toString() {
      return out + "| " + err + "| " + code;
    }
  }

  @BeforeEach
  void write() throws IOException {
    Path home = Files.createDirectories(folder.resolve("a home's"));
    SrunStandIn.write(home);
    SrunStandIn.write(home);
    program = SrunStandIn.folder(home).resolve("srun");
    scratch = Files.createDirectories(folder.resolve("scratch of $HOME"));
  }

  private static List<String> words(String shell) {
    List<String> words = List.of(shell.split(" "));
    boolean there =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(one -> Files.isExecutable(Path.of(one, words.get(0))));
    assertTrue(there, "checks/wanted installs " + words.get(0));
    return words;
  }

  /** Starts a script in which {@code srun} is the stand-in, run by a shell. */
  private Process script(String shell, String text) throws IOException {
    Path srun = folder.resolve("srun");
    if (!Files.exists(srun)) {
      String call = String.join(" ", words(shell)) + " '" + ("" + program).replace("'", "'\\''");
      Files.writeString(srun, "#!/bin/bash\nexec " + call + "' \"$@\"\n");
      assertTrue(srun.toFile().setExecutable(true));
    }
    // as a keeper starts tasks, also if nohup has started this: a shell cannot trap what it ignores
    ProcessBuilder builder = new ProcessBuilder("env", "--default-signal=HUP", "sh", "-c", text);
    Map<String, String> env = builder.environment();
    env.keySet().removeIf(name -> name.matches("(SLURM|SRUN|REMUDA)_.*"));
    env.put("PATH", folder + ":" + env.get("PATH"));
    env.putAll(
        Map.of(
            "REMUDA_SBATCH",
            "4",
            "REMUDA_SCRATCH",
            scratch.toString(),
            "SLURM_JOB_ID",
            "7",
            "SLURM_NTASKS",
            "4",
            "SLURM_CPUS_ON_NODE",
            "8",
            "SLURM_JOB_NODELIST",
            "vm",
            "SLURMD_NODENAME",
            "n1",
            "SLURM_JOB_NAME",
            "train.sh",
            "CUDA_VISIBLE_DEVICES",
            "0,1,2,3"));
    return builder
        .directory(folder.toFile())
        .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private Said ended(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it did not end: " + sorted("out") + sorted("err"));
    }
    return new Said(sorted("out"), sorted("err"), process.exitValue());
  }

  private String sorted(String file) throws IOException {
    return Files.readAllLines(folder.resolve(file)).stream()
        .sorted()
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void members_of_a_gang_do_not_empty_what_others_of_it_have_written() throws Exception {
    String member = "unset REMUDA_SBATCH; export REMUDA_TASK_COUNT=2; ";
    String writes = "REMUDA_TASK_INDEX=%s srun -o o.txt echo %s";
    says("| | 0", "sh", member + writes.formatted(0, "a") + "; " + writes.formatted(1, "b"));
    assertEquals("a\nb\n", sorted("o.txt"));
  }

  private void says(String expected, String shell, String text) throws Exception {
    assertEquals(expected, ended(script(shell, text)).toString(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void tasks_run_and_their_ends_are_told(String shell) throws Exception {
    says(
        "0 0 4\n1 1 4\n2 2 4\n3 3 4\n| | 0",
        shell,
        "srun sh -c 'echo $SLURM_PROCID $SLURM_LOCALID $SLURM_NTASKS'");
    says("0: a\n0: b\n1: a\n1: b\n| | 0", shell, "srun -ln2 printf 'a\\nb\\n'");
    says(" 9: x\n10: x\n", shell, "srun -O -n 11 -l echo x | grep -E '^( 9|10)'", true);
    says("x| | 0".replace("x", "x\n"), shell, "srun -n1 echo x");
    says(
        "| srun: error: vm: task 0: Exited with exit code 3\n| 3",
        shell,
        "srun -n1 sh -c 'exit 3'");
    says(
        "| srun: error: vm: task 1: Exited with exit code 1\n"
            + "srun: error: vm: task 2: Exited with exit code 2\n| 2",
        shell,
        "srun -n 3 sh -c 'exit $SLURM_PROCID'");
    says("| srun: error: vm: task 0: Killed\n| 137", shell, "srun -n1 sh -c 'kill -9 $$'");
    says(
        "| slurmstepd-vm: error: execve(): nosuch: No such file or directory\n"
            + "srun: error: vm: task 0: Exited with exit code 2\n| 2",
        shell,
        "srun -n1 nosuch");
    says(
        "| slurmstepd-vm: error: execve(): /tmp: Permission denied\n"
            + "srun: error: vm: task 0: Exited with exit code 13\n| 13",
        shell,
        "srun -n1 /tmp");
  }

  private void says(String out, String shell, String text, boolean outAlone) throws Exception {
    assertTrue(outAlone);
    assertEquals(out, ended(script(shell, text)).out(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void words_with_blanks_lines_and_quotes_pass_through(String shell) throws Exception {
    says(
        "\"c\"]\n[$(touch evil)]\n[%t *]\n[]\n[a  'b'\n[x;y]\n| | 0",
        shell,
        "srun -n1 -J '$(touch evil)' -- printf '[%s]\\n' \"a  'b'\n\\\"c\\\"\" '$(touch evil)' '' '%t *' 'x;y'");
    assertFalse(Files.exists(folder.resolve("evil")));
    says(
        "a\n| | 0",
        shell,
        "srun -n2 -o 'o %t \"$(touch evil)\".txt' echo a && cat 'o 1 \"$(touch evil)\".txt'");
    assertFalse(Files.exists(folder.resolve("evil")));
    says("a' b\n| | 0", shell, "X=\"a' b\" srun -n1 sh -c 'echo \"$X\"'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void input_goes_to_all_to_one_or_to_none(String shell) throws Exception {
    says("0: a\n0: b\n1: a\n1: b\n| | 0", shell, "printf 'a\\nb\\n' | srun -n2 -l cat");
    says("1: a\n| | 0", shell, "echo a | srun -n2 -l -i 1 cat");
    says("| | 0", shell, "echo a | srun -n2 -l --input none cat");
    says("x\nx\n| | 0", shell, "srun -n2 echo x <&-"); // as MPICH calls it
    says("a\n| | 0", shell, "echo a | srun -n1 cat");
    says(
        "0: zero\n1: one\n| | 0",
        shell,
        "echo zero >in.0; echo one >in.1; srun -n2 -l -i in.%t cat");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void output_goes_to_files_as_slurm_names_them(String shell) throws Exception {
    says(
        "o.7.7.0.0.0.0.vm.7.train.sh.000.%\n| | 0",
        shell, "srun -n1 -o 'o.%j.%J.%t.%n.%s.%N.%A.%x.%3t.%%' echo x; ls o.*");
    says(
        "err\nerr\nout\nout\n| | 0",
        shell,
        "srun -n2 -o both sh -c 'echo out; echo err >&2'; cat both");
    says(
        "out\n| | 0",
        shell,
        "srun -n1 -o out.txt -e err.txt sh -c 'echo out; echo err >&2'; cat out.txt");
    says(
        "new\nnew\nold\n| | 0",
        shell,
        "echo old >f; srun -n1 --open-mode=append -o f echo new; cat f; srun -n1 -o f echo new; cat f");
    says("1\n| | 0", shell, "srun -n2 -o 1 sh -c 'echo $SLURM_PROCID'");
    says("| | 0", shell, "srun -n2 -o none echo x");
    says(
        "| srun: error: Could not open stdout file: No such file or directory\n| 1",
        shell,
        "srun -n1 -o nodir/x echo x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void wrong_and_impossible_options_are_refused(String shell) throws Exception {
    String hint = "srun: %s\n| 255";
    Map<String, String> wrong = new HashMap<>();
    wrong.put("srun --nosuch true", "unrecognized option '--nosuch'");
    wrong.put("srun -7 true", "invalid option -- '7'");
    wrong.put("srun -n", "option requires an argument -- 'n'");
    wrong.put("srun --ntasks", "option '--ntasks' requires an argument");
    wrong.put("srun --label=3 true", "option '--label' doesn't allow an argument");
    for (Map.Entry<String, String> one : wrong.entrySet()) {
      says(
          "| Try \"srun --help\" for more information\n" + hint.formatted(one.getValue()),
          shell,
          one.getKey());
    }
    says("| srun: error: Invalid numeric value \"x\" for --ntasks.\n| 1", shell, "srun -n x true");
    says("| srun: fatal: No command given to execute.\n| 1", shell, "srun -n 1");
    says(
        "| srun: error: Unable to create step for job 7: More processors requested than permitted\n| 1",
        shell,
        "srun -n 9 true");
    for (String refused :
        List.of(
            "-N 2",
            "-w other",
            "--mpi=pmix",
            "--het-group=1",
            "--container=x",
            "--gpus=5",
            "--task-prolog=x",
            "--gpu-bind=map_gpu:0",
            "-r 1",
            "--jobid=8")) {
      Said said = ended(script(shell, "srun -n1 " + refused + " true"));
      assertEquals(1, said.code(), refused + said);
      assertTrue(said.err().startsWith("srun: error: "), refused + said);
    }
    assertEquals("1", "" + ended(script(shell, "srun -n1 true : -n1 true")).code());
    says(
        "x\n| | 0",
        shell,
        "srun -N1 -n1 --cpu-bind=cores --mem-per-cpu 1G --mpi=none --exact -c2 --overlap --hint=nomultithread --nodel=vm --time=1 echo x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void gpus_of_the_job_are_parted(String shell) throws Exception {
    String show = " sh -c 'echo $CUDA_VISIBLE_DEVICES'";
    says("0: 0\n1: 1\n| | 0", shell, "srun -l -n2 --gpus-per-task=1" + show);
    says("0: 0,1\n1: 0,1\n| | 0", shell, "srun -l -n2 --gpus=2" + show);
    says("0: 0,1,2,3\n1: 0,1,2,3\n| | 0", shell, "srun -l -n2" + show);
    says("0: 0\n1: 1\n| | 0", shell, "srun -l -n2 --gpu-bind=single:1" + show);
    says("\n| | 0", shell, "srun -n1 --gres=none" + show);
    says(
        "0\n1\n| | 0",
        shell,
        "mkfifo f; srun -n1 -G1 sh -c 'echo $CUDA_VISIBLE_DEVICES; read x <f' & "
            + "while ! grep -q . out; do sleep 0.1; done; srun -n1 --gres=gpu:1"
            + show
            + "; echo >f; wait");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void a_step_chooses_variables_folder_and_programs(String shell) throws Exception {
    says(
        "A=1\nC=a,b\n| | 0",
        shell,
        "A=1 B=2 srun -n1 --export=A,C=\"'a,b'\" env | grep -E '^[ABC]='");
    says("A=1\nB=3\n| | 0", shell, "A=1 B=2 srun -n1 --export=ALL,B=3 env | grep -E '^[ABC]='");
    says("/usr\n| | 0", shell, "srun -n1 -D /usr pwd");
    Files.writeString(
        folder.resolve("multi"),
        "# of all\n0 echo zero %t %o\n1-2 sh -c 'echo \"a b\" $0' %o\n* echo rest %t\n");
    says("0: zero 0 0\n1: a b 0\n2: a b 1\n3: rest 3\n| | 0", shell, "srun -l --multi-prog multi");
    says(
        "4\n| | 0",
        shell,
        "for i in 1 2 3 4; do srun -n1 sh -c 'echo $SLURM_STEP_ID' & done | sort -u | wc -l");
    says(
        "fun x\n| | 0",
        shell,
        "bash -c 'f() { echo fun $1; }; export -f f; srun -n1 bash -c \"f x\"'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void a_bad_end_may_end_the_step(String shell) throws Exception {
    String one = "test $SLURM_PROCID = 0 && exit 3; exec sleep 300";
    Said said = ended(script(shell, "srun -n2 -K sh -c '" + one + "'"));
    assertEquals(143, said.code(), said.toString());
    assertTrue(said.err().contains("srun: error: vm: task 1: Terminated\n"), said.err());
    assertEquals(137, ended(script(shell, "srun -n2 -W1 sh -c '" + one + "'")).code());
    assertEquals(143, ended(script(shell, "srun -n2 -t 0:01 sleep 300")).code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void signals_reach_the_tasks_and_a_killed_srun_ends_its_step(String shell) throws Exception {
    String task = "trap \"echo got $0; exit 7\" $0; echo ready; while :; do sleep 0.1; done";
    for (String signal : List.of("TERM", "HUP", "USR1", "USR2")) {
      Said said =
          ended(
              script(
                  shell,
                  "srun -n2 sh -c '"
                      + task
                      + "' "
                      + signal
                      + " 2>log & p=$!;"
                      + " while [ \"$(grep -c ready out)\" -lt 2 ]; do sleep 0.1; done;"
                      + " kill -"
                      + signal
                      + " $p; wait $p"));
      assertEquals(7, said.code(), said.toString());
      assertTrue(said.out().startsWith(("got " + signal + "\n").repeat(2)), said.out());
    }
    Said killed =
        ended(
            script(
                shell,
                "srun -n2 sh -c 'echo $$; exec sleep 300' & p=$!;"
                    + " while [ \"$(grep -c . out)\" -lt 2 ]; do sleep 0.1; done; kill -KILL $p"));
    for (String pid : killed.out().lines().toList()) {
      ProcessHandle.of(Long.parseLong(pid))
          .ifPresent(left -> left.onExit().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).join());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void a_member_of_a_gang_is_one_task_of_the_step(String shell) throws Exception {
    String member =
        "unset REMUDA_SBATCH SLURM_NTASKS; export REMUDA_TASK_COUNT=3 REMUDA_TASK_INDEX=2"
            + " LOCAL_RANK=1 LOCAL_WORLD_SIZE=2 NODE_RANK=1 REMUDA_GANG_HOSTS=a,b,b; ";
    says(
        "2 1 1 3 2 a,b 2\n| | 0",
        shell,
        member
            + "srun sh -c 'echo $SLURM_PROCID $SLURM_LOCALID $SLURM_NODEID $SLURM_NTASKS"
            + " $SLURM_NNODES $SLURM_STEP_NODELIST $SLURM_STEP_TASKS_PER_NODE'");
    assertEquals(1, ended(script(shell, member + "srun -n 2 true")).code());
    assertEquals(0, ended(script(shell, member + "srun -N2 -n3 true")).code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void more_steps_than_cpus_wait_for_each_other(String shell) throws Exception {
    Said said = ended(script(shell, "for i in $(seq 12); do srun -n4 sh -c 'echo x' & done; wait"));
    assertEquals("x\n".repeat(48), said.out(), said.err());
    assertEquals(
        "", said.err().replaceAll("(?m)^srun: (Job 7 step creation.*|Step created.*)\n", ""));
  }

  @Test
  void a_task_of_a_script_for_sbatch_has_it_last_in_its_path() {
    Map<String, String> task = new HashMap<>();
    Path home = Path.of("/home/n");
    SrunStandIn.addTo(Map.of("PATH", "/bin"), task, home);
    assertEquals(Map.of(), task);
    SrunStandIn.addTo(Map.of("PATH", "/bin", SbatchScriptVariables.BATCH, "1"), task, home);
    assertEquals("/bin:" + SrunStandIn.folder(home), task.get("PATH"));
    SrunStandIn.addTo(Map.of(SbatchScriptVariables.SRUN, "member"), task, home);
    assertEquals(2, new ArrayList<>(List.of(task.get("PATH").split("srun-stand-in"))).size() - 1);
  }

  @Test
  void scontrol_takes_a_list_of_nodes_apart_and_does_nothing_else() throws Exception {
    String call = "'" + program.resolveSibling("scontrol").toString().replace("'", "'\\''") + "' ";
    Said said =
        ended(
            script(
                "sh",
                call + "show hostnames; " + call + "show hostname b,c; " + call + "requeue 7"));
    assertEquals("b\nc\nvm", said.out().strip());
    assertTrue(said.err().contains("there is no scontrol here"), said.err());
    assertEquals(1, said.code());
  }

  @Test
  void one_task_is_laid_out_and_counted_as_srun_says() throws Exception {
    Said said =
        ended(script("sh", "srun -n1 -c1 sh -c 'echo $SLURM_DISTRIBUTION $SLURM_CPUS_PER_TASK'"));
    assertEquals("cyclic 1", said.out().strip());
  }
}
