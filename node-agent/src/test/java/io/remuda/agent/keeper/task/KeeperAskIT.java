package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who of real programs below real launchers is asked to end, or gets a signal. */
class KeeperAskIT extends WithKeeper {
  private static final long LONG_MILLIS = 60_000;
  private static final int USR1 = 10;
  private static final int SIGSTOP = 19;

  @BeforeEach
  void writePrograms() throws IOException {
    TrainingPrograms.write(keeper.folder);
  }

  private String started(String command) {
    return started(command, ReachedProcesses.FIRST);
  }

  /** Starts a command, whose words have no blanks but in quotes, and waits until it is ready. */
  private String started(String command, ReachedProcesses ending) {
    String key = keeper.key("task");
    String line = command.replace("PYTHON", TrainingPrograms.PYTHON);
    List<String> words =
        Arrays.stream(line.split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map(word -> word.replace("'", ""))
            .toList();
    client.spawn(request(key, words, 0, ReachedProcesses.FIRST, ending));
    awaitFile("ready");
    return key;
  }

  private SpawnRequest request(
      String key, List<String> words, int signal, ReachedProcesses reach, ReachedProcesses ending) {
    SpawnRequest plain = keeper.requests().run(key, words.toArray(String[]::new));
    return new SpawnRequest(
        key,
        plain.template(),
        Map.of(),
        plain.stdout(),
        plain.stderr(),
        plain.taskFolder(),
        List.of(),
        0,
        LONG_MILLIS,
        0,
        signal,
        signal == 0 ? 0 : 4000,
        reach,
        ending);
  }

  private void awaitFile(String name) {
    await("file " + name).until(() -> has(name));
  }

  private boolean has(String name) {
    return Files.exists(keeper.folder.resolve(name));
  }

  private String said() throws IOException {
    return keeper.read("out") + keeper.read("err");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PYTHON train.py",
        "sh train.sh",
        "bash train.sh",
        "busybox sh train.sh",
        "sh -c 'true && PYTHON train.py && touch next'",
        "bash -c 'PYTHON train.py; touch next'",
        "bash -c 'exec PYTHON train.py'",
        "bash -l -c 'PYTHON train.py; touch next'",
        "bash -c '(PYTHON train.py; touch next); touch next'",
        "bash -c 'PYTHON train.py 2>&1 | tee log; touch next'",
        "bash -c 'PYTHON train.py & wait; touch next'",
        "timeout 600 PYTHON train.py",
        "bash -c 'timeout 600 PYTHON train.py; touch next'",
        "env A=b nice PYTHON train.py",
        "PYTHON wrapper.py PYTHON train.py",
        "bash -c 'PYTHON wrapper.py PYTHON train.py; touch next'",
      })
  void a_training_saves_and_nothing_is_started_after_it(String command) throws IOException {
    String key = started(command);
    client.kill(key, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals("15", keeper.read("saved"), this::quoted);
    assertFalse(has("next"), "a shell has started its next command");
    assertTrue(exit.killed());
    assertTrue(exit.wallMillis() < LONG_MILLIS, exit.toString());
  }

  private String quoted() {
    try {
      return said();
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  @Test
  void where_the_node_asks_all_at_once_the_loaders_die_first() throws IOException {
    String key = started("PYTHON train.py", ReachedProcesses.EVERY);
    client.kill(key, LONG_MILLIS);
    keeper.awaitExit(client, key);
    assertFalse(has("saved"), said());
  }

  @Test
  void a_stopped_training_goes_on_to_save() throws IOException {
    String key = started("PYTHON train.py");
    int pid = (int) client.list().get(0).pid();
    Posix.kill(pid, SIGSTOP);
    await().until(() -> ProcFiles.stat(pid).state() == 'T');
    client.kill(key, LONG_MILLIS);
    keeper.awaitExit(client, key);
    assertEquals("15", keeper.read("saved"), this::quoted);
  }

  @Test
  void a_trap_runs_when_what_is_in_the_foreground_has_ended() throws IOException {
    String key =
        started("bash -c 'trap \"cp saved copied; exit 7\" TERM; PYTHON train.py; touch next'");
    client.kill(key, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals("15", keeper.read("copied"), this::quoted);
    assertEquals(new ExitStatus.Code(7), exit.status());
  }

  @Test
  void a_trap_may_ask_what_is_in_the_background_in_its_own_way() throws IOException {
    String key =
        started(
            "bash -c 'trap \"kill -USR1 \\$!; wait; exit 8\" TERM;"
                + " PYTHON train.py & wait; touch next'");
    client.kill(key, LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals("10", keeper.read("saved"), this::quoted);
    assertEquals(new ExitStatus.Code(8), exit.status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FIRST sh train.sh",
        "FIRST bash -c 'PYTHON train.py; touch next'",
        "FIRST timeout 600 PYTHON train.py",
        "ALL timeout 600 sh train.sh",
        "ALL PYTHON wrapper.py PYTHON train.py",
        "CHILDREN sh train.sh",
      })
  void a_signal_before_the_limit_reaches_the_training_below_its_launcher(String line)
      throws IOException {
    String key = keeper.key("task");
    String[] parts = line.split(" ", 2);
    List<String> words =
        Arrays.stream(
                parts[1]
                    .replace("PYTHON", TrainingPrograms.PYTHON)
                    .split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map(word -> word.replace("'", ""))
            .toList();
    client.spawn(
        request(key, words, USR1, ReachedProcesses.valueOf(parts[0]), ReachedProcesses.FIRST));
    ExitRecord exit = keeper.awaitExit(client, key);
    assertEquals("10", keeper.read("saved"), this::quoted);
    assertEquals(new ExitStatus.Code(0), exit.status(), "the launcher lives on");
    assertEquals(line.contains("next") || line.contains("train.sh"), has("next"));
  }

  @Test
  void a_plain_shell_with_nothing_to_signal_does_not_die_of_a_hint() {
    String key = keeper.key("task");
    List<String> words = List.of("bash", "-c", "touch ready; read -t 8 line < <(sleep 30); exit 3");
    client.spawn(request(key, words, USR1, ReachedProcesses.CHILDREN, ReachedProcesses.FIRST));
    assertEquals(new ExitStatus.Code(3), keeper.awaitExit(client, key).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PYTHON torch_train.py",
        "sh -c 'true && PYTHON torch_train.py; touch next'",
        "timeout 600 PYTHON torch_train.py",
        "PYTHON wrapper.py PYTHON torch_train.py",
      })
  void a_real_data_loader_lives_until_the_training_has_saved(String command) throws Exception {
    TrainingPrograms.assumeTorch();
    String key = started(command);
    client.kill(key, LONG_MILLIS);
    keeper.awaitExit(client, key);
    assertTrue(has("saved") && has("checkpoint"), this::quoted);
    assertFalse(has("next"));
    assertFalse(said().contains("is killed by signal"), said());
  }

  @Test
  void a_torchrun_of_two_ranks_saves_when_all_get_the_signal() throws Exception {
    TrainingPrograms.assumeTorch();
    String key = torchrun();
    client.end(key, new EndingSignal(USR1, ReachedProcesses.ALL), LONG_MILLIS);
    ExitRecord exit = keeper.awaitExit(client, key);
    assertTrue(has("saved0") && has("saved1"), this::quoted);
    assertEquals(new ExitStatus.Code(0), exit.status(), "torchrun ends by itself");
  }

  @Test
  void a_torchrun_that_is_asked_passes_sigterm_on_to_its_ranks() throws Exception {
    TrainingPrograms.assumeTorch();
    String key = torchrun();
    client.kill(key, LONG_MILLIS);
    keeper.awaitExit(client, key);
    assertTrue(has("saved0") && has("saved1"), this::quoted);
  }

  private String torchrun() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/torchrun")), "no torchrun");
    String key = keeper.key("task");
    client.spawn(
        request(
            key,
            List.of(
                "/usr/bin/torchrun",
                "-r",
                "2",
                "-t",
                "2",
                "--standalone",
                "--nproc_per_node=2",
                "torch_train.py"),
            0,
            ReachedProcesses.FIRST,
            ReachedProcesses.FIRST));
    awaitFile("ready0");
    awaitFile("ready1");
    return key;
  }
}
