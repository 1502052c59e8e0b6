package io.remuda.agent.keeper.task;

import static io.remuda.agent.keeper.task.KeeperUnderTest.alive;
import static io.remuda.agent.keeper.task.KeeperUnderTest.awaitGone;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.sweep.KeeperProcessJournal;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.agent.keeper.sweep.SweepMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tasks whose processes clear their environment, leave their session and close what they had. */
@Tag("attack")
@Tag("attack-escape")
@Tag("long-attack")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KeeperSheddingIT extends WithKeeper {

  private static final int SIGSTOP = 19;
  private static final int STRANGER = 47_110;

  /** A process that sheds what it has inherited; it writes its number into the file {@code up}. */
  private static final String SLEEPER = "sh -c 'echo $$ > up; exec sleep 1000'";

  /** A sleeper without the mark that is hardest to shed. */
  private static final String UNLIMITED =
      "prlimit --locks=7:7 sh -c 'echo $$ > up; exec sleep 1000'";

  static List<String> scripts() {
    return List.of(
        "exec env -i " + SLEEPER,
        "exec env -i " + SLEEPER + " 3>&- > /dev/null 2>&1",
        "exec env -i setsid -w " + SLEEPER,
        "(env -i setsid " + SLEEPER + " > /dev/null 2>&1 3>&- &); exec sleep 1000",
        "(env -i setsid " + SLEEPER + " &); exec env -i sleep 1000",
        "exec env -i " + UNLIMITED,
        "exec env -i setsid -w " + UNLIMITED,
        "(env -i setsid " + UNLIMITED + " > /dev/null 2>&1 &); exec sleep 1000");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void what_has_shed_every_mark_ends_when_its_killed_keeper_is_swept(String script)
      throws IOException {
    client.spawn(keeper.requests().lending("GPU-7").shell(keeper.key("a"), script));
    int pid = keeper.awaitPid("up");
    keeper.killUnguarded();
    assertTrue(alive(pid));

    OrphanSweep.Remains remains = OrphanSweep.end(keeper.node(), keeper.run);

    assertTrue(remains.isNothing(), remains.toString());
    assertFalse(alive(pid));
    assertEquals(0, records());
  }

  @Test
  void a_daemon_without_marks_ends_with_its_task_though_a_neighbour_runs() throws IOException {
    client.spawn(keeper.requests("n").shell(keeper.key("n"), "echo $$ > up; exec sleep 1000"));
    int neighbour = keeper.awaitPid("n/up");
    Requests lending = keeper.requests().lending("GPU-7");

    client.spawn(
        lending.shell(
            keeper.key("a"),
            "(env -i setsid " + SLEEPER + " > /dev/null 2>&1 &); while [ ! -s up ]; do :; done"));

    keeper.awaitExit(client, keeper.key("a"));
    assertTrue(!alive(Integer.parseInt(keeper.read("up").trim())), "the daemon");
    assertTrue(alive(neighbour));
    assertInstanceOf(
        SpawnAnswer.Started.class, client.spawn(lending.shell(keeper.key("b"), "exit 0")));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void the_sweep_for_a_lost_keeper_leaves_the_tasks_of_the_one_that_lives(String script)
      throws IOException {
    Path node = keeper.node();
    Path record = node.resolve("keepers").resolve("7");
    Files.writeString(record, "keeper 1 ? 1 1\n");
    String task = node.resolve("tasks/1.0.1").toString();
    client.spawn(keeper.requests(task).shell(keeper.key("1.0.1"), script));
    int pid = keeper.awaitPid(task + "/up");

    OrphanSweep.Remains remains = OrphanSweep.end(node, keeper.run);

    assertTrue(remains.isNothing(), remains.toString());
    assertEquals(0, remains.killed());
    assertTrue(alive(pid));
    assertFalse(Files.exists(record), "of the lost one nothing is left");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void the_guardian_ends_what_a_killed_keeper_leaves_though_no_agent_is_there(String script) {
    client.spawn(keeper.requests().lending("GPU-7").shell(keeper.key("a"), script));
    int pid = keeper.awaitPid("up");

    keeper.killKeeper();

    awaitGone(pid);
    await("end of the record").until(() -> records() == 0);
  }

  @Test
  void a_guardian_that_is_killed_is_started_again_and_one_that_is_stopped_goes_on() {
    client.spawn(keeper.requests().shell(keeper.key("a"), "exec env -i " + SLEEPER));
    final int pid = keeper.awaitPid("up");
    int first = keeper.guardian();

    Posix.kill(first, Posix.SIGKILL);
    awaitGone(first);
    int second = keeper.guardian();
    Posix.kill(second, SIGSTOP);
    await("that it goes on").until(() -> ProcFiles.stat(second).state() == 'S');
    assertTrue(alive(pid));
    keeper.killKeeper();

    awaitGone(pid);
    awaitGone(second);
  }

  @Test
  void a_process_of_another_user_stays_and_the_sweep_says_which_and_what_to_do() throws Exception {
    assumeTrue(Posix.getuid() == 0, "only root can start a process of another user");
    client.spawn(keeper.requests().shell(keeper.key("a"), "exec env -i " + SLEEPER));
    int pid = keeper.awaitPid("up");
    keeper.killUnguarded();

    String said = sweepAs(STRANGER);

    assertEquals(
        keeper.key("a") + "=process " + pid + " (sleep) is of user 0: as that user, kill -9 " + pid,
        said);
    assertTrue(alive(pid));
    assertEquals(1, records());
  }

  /** Sweeps in a process of another user, which sees of others only what is public. */
  private String sweepAs(int user) throws Exception {
    Path node = keeper.node();
    for (Path shared : List.of(node.getParent(), node, keeper.folder)) {
      Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    List<String> command =
        List.of(
            "setpriv",
            "--reuid=" + user,
            "--regid=" + user,
            "--clear-groups",
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-cp",
            readableClassPath(),
            SweepMain.class.getName(),
            node.toString());
    Path out = keeper.folder.resolve("swept");
    Process sweep =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertEquals(1, sweep.waitFor());
    String said = "guardian: ";
    return Files.readAllLines(out).stream() // a newer JVM says more
        .filter(line -> line.startsWith(said))
        .map(line -> line.substring(said.length()).replaceFirst(": ", "="))
        .collect(Collectors.joining("\n"));
  }

  /** A repository of libraries may be closed to others. */
  private String readableClassPath() throws Exception {
    List<String> readable = new ArrayList<>();
    for (String part : KeeperUnderTest.classPath().toString().split(":")) {
      Path library = Path.of(part);
      if (Files.isDirectory(library)) {
        readable.add(part);
      } else {
        Path copy = keeper.folder.resolve(library.getFileName());
        Files.copy(library, copy);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
        readable.add(copy.toString());
      }
    }
    return String.join(":", readable);
  }

  @Test
  void a_guardian_leaves_with_its_keeper() throws Exception {
    int guardian = keeper.guardian();

    client.shutdown(0);

    assertTrue(keeper.process().waitFor(60, TimeUnit.SECONDS));
    awaitGone(guardian);
    assertEquals(0, records());
  }

  private int records() {
    return keeper.node().resolve(KeeperProcessJournal.FOLDER).toFile().list().length;
  }
}
