package io.remuda.agent.keeper.task;

import static io.remuda.agent.keeper.task.KeeperUnderTest.alive;
import static io.remuda.agent.keeper.task.KeeperUnderTest.awaitGone;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.KeeperGoneException;
import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.program.KeeperLauncher;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeeperFaultIT extends WithKeeper {

  @Test
  void a_device_of_a_killed_keeper_stays_lent_while_its_task_lives() throws IOException {
    Requests lending = keeper.requests().lending("GPU-7");
    client.spawn(lending.shell(keeper.key("a"), "echo $$ > up; exec sleep 1000"));
    int pid = keeper.awaitPid("up");
    keeper.killUnguarded();
    keeper.start("other");
    KeeperClient next = keeper.client("other");

    SpawnAnswer meanwhile = next.spawn(lending.shell(keeper.key("b"), "exit 0"));

    assertEquals(
        RefusalCode.DEVICE_BUSY, assertInstanceOf(SpawnAnswer.Refused.class, meanwhile).code());
    assertTrue(alive(pid));
    assertEquals(1, sweep().killed());
    awaitGone(pid);
    assertInstanceOf(
        SpawnAnswer.Started.class, next.spawn(lending.shell(keeper.key("b"), "exit 0")));
  }

  @Test
  void a_sweep_takes_the_whole_tree_of_a_killed_keeper_and_nothing_else() throws IOException {
    keeper.start("other");
    KeeperClient other = keeper.client("other");
    other.spawn(keeper.requests("o").shell(keeper.key("o"), "echo $$ > up; exec sleep 1000"));
    client.spawn(
        keeper
            .requests("a")
            .shell(
                keeper.key("a"),
                "(setsid sh -c 'echo $$ > daemon; exec sleep 1000' &) ; echo $$ > up; sleep 1000"));
    int kept = keeper.awaitPid("o/up");
    int leader = keeper.awaitPid("a/up");
    int daemon = keeper.awaitPid("a/daemon");
    assertEquals(0, sweep().killed(), "both keepers live");

    keeper.killUnguarded();

    assertEquals(3, sweep().killed(), "sh, its sleep and the daemon");
    assertFalse(alive(leader));
    assertFalse(alive(daemon));
    assertTrue(alive(kept));
  }

  @Test
  void a_new_keeper_takes_the_folder_of_a_killed_one() throws IOException {
    keeper.killKeeper();

    keeper.start();

    assertEquals(List.of(), keeper.client().list());
    await().until(() -> keeper.disconnects.size() == 1);
    assertThrows(KeeperGoneException.class, client::list);
  }

  @Test
  void a_stopped_keeper_is_noticed_and_starts_nothing_once_it_goes_on() throws IOException {
    KeeperClient brief = keeper.client(Duration.ofMillis(200)); // which gives it 4 s, not a minute
    keeper.stopKeeper();

    SpawnRequest request = keeper.requests().shell(keeper.key("late"), "echo x > late");
    assertThrows(KeeperUnresponsiveException.class, () -> brief.spawn(request));
    keeper.signalKeeper(Posix.SIGCONT);

    KeeperClient next = keeper.client();
    await("refusal of the start").until(() -> next.list().isEmpty()); // it is looked at first
    assertEquals("", keeper.read("late"));
  }

  @Test
  void a_contact_deadline_that_ran_out_while_the_keeper_was_stopped_ends_the_task() {
    client.spawn(
        keeper.requests().leasedFor(5000).shell(keeper.key("a"), "echo $$ > up; exec sleep 1000"));
    int pid = keeper.awaitPid("up");
    keeper.stopKeeper();
    long stopped = BootClock.system().millis();
    await("the deadline").until(() -> BootClock.system().millis() > stopped + 5100);
    assertTrue(alive(pid));

    keeper.signalKeeper(Posix.SIGCONT);

    assertTrue(keeper.awaitExit(client, keeper.key("a")).contactLost());
    assertFalse(alive(pid));
  }

  @Test
  void a_keeper_and_its_tasks_survive_the_death_of_their_starter() throws Exception {
    Path node = keeper.folder.resolve("owned");
    Process starter =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xshare:auto",
                "-cp",
                KeeperUnderTest.classPath() + ":" + testClasses(),
                Starter.class.getName(),
                node.toString(),
                keeper.folder.toString(),
                keeper.key("a"))
            .inheritIO()
            .start();
    int pid = keeper.awaitPid("up");
    int owned = keeperPid("owned");
    try {
      starter.destroyForcibly().onExit().get();

      KeeperClient adopter = keeper.client("owned");

      assertTrue(alive(pid));
      assertEquals(TaskView.State.RUNNING, adopter.list().get(0).state());
      adopter.kill(keeper.key("a"), 0);
      keeper.awaitExit(adopter, keeper.key("a"));
    } finally {
      Posix.kill(owned, Posix.SIGKILL);
    }
  }

  @Test
  void a_task_killed_from_outside_at_a_random_moment_is_learned() throws IOException {
    for (int i = 0; i < 30; i++) {
      String key = keeper.key("r" + i);
      SpawnAnswer answer = client.spawn(keeper.requests("r" + i).run(key, "sleep", "1000"));
      Posix.kill((int) ((SpawnAnswer.Started) answer).pid(), Posix.SIGKILL);

      ExitRecord exit = keeper.awaitExit(client, key);

      assertEquals(new ExitStatus.Signal(9, false), exit.status());
      assertFalse(exit.killed());
    }
  }

  /** An agent in a JVM of its own that starts a keeper with one task and then waits for its end. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[1]);
      KeeperLauncher.launch(
          Path.of(System.getProperty("java.home")),
          KeeperLauncher.JVM_FLAGS,
          KeeperUnderTest.classPath(),
          Path.of(args[0]),
          System.getenv(),
          folder.resolve("owned.log"));
      KeeperClient client =
          KeeperClient.connect(
              new KeeperFolder(Path.of(args[0])).socket(),
              new KeeperClient.Listener() {
                @Override
                public void exited(TaskView task) {}

                @Override
                public void disconnected(Throwable cause) {}
              });
      client.spawn(Requests.in(folder).shell(args[2], "echo $$ > up; exec sleep 1000"));
      Thread.currentThread().join();
    }
  }

  private OrphanSweep.Remains sweep() {
    return OrphanSweep.end(keeper.node(), keeper.run);
  }

  private int keeperPid(String node) {
    return Integer.parseInt(new KeeperFolder(keeper.folder.resolve(node)).pidText());
  }

  private static String testClasses() throws Exception {
    return Path.of(KeeperFaultIT.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }
}
