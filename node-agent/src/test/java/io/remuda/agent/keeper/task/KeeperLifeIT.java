package io.remuda.agent.keeper.task;

import static io.remuda.agent.keeper.task.KeeperUnderTest.alive;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.UnansweredKeeperCallException;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a keeper ends, and when it does not begin. */
class KeeperLifeIT extends WithKeeper {
  @Test
  void a_shutdown_ends_all_tasks_and_the_keeper() throws Exception {
    client.spawn(keeper.requests().shell(keeper.key("a"), "echo $$ > up; exec sleep 1000"));
    int pid = keeper.awaitPid("up");

    client.shutdown(1000);

    assertEquals(0, keeper.process().onExit().get().exitValue());
    assertFalse(alive(pid));
    assertTrue(ExitFile.read(keeper.folder).orElseThrow().killed());
    assertThrows(UnansweredKeeperCallException.class, client::list);
  }

  @Test
  void sigterm_ends_all_tasks_and_then_the_keeper() throws Exception {
    client.spawn(
        keeper
            .requests()
            .shell(
                keeper.key("a"), "trap 'exit 9' TERM; echo $$ > up; while :; do sleep 0.05; done"));
    int pid = keeper.awaitPid("up");

    keeper.signalKeeper(Posix.SIGTERM);

    assertEquals(143, keeper.process().onExit().get().exitValue());
    assertFalse(alive(pid));
    assertEquals(new ExitStatus.Code(9), ExitFile.read(keeper.folder).orElseThrow().status());
  }

  @Test
  void sigint_and_sighup_are_ignored() {
    keeper.signalKeeper(Posix.SIGINT);
    keeper.signalKeeper(Posix.SIGHUP);

    assertEquals(List.of(), client.list());
  }

  @Test
  void a_second_keeper_of_one_folder_is_refused_with_code_3() {
    IOException refused = assertThrows(IOException.class, () -> keeper.start());

    assertTrue(refused.getMessage().contains("with code 3"), refused.getMessage());
    assertTrue(
        refused.getMessage().contains("another keeper (pid " + keeper.process().pid() + ")"),
        refused.getMessage());
    assertEquals(List.of(), client.list(), "the first one is well");
  }

  @Test
  void a_folder_too_deep_for_a_socket_is_refused_with_a_way_out() {
    IOException refused = assertThrows(IOException.class, () -> keeper.start("n".repeat(120)));

    assertTrue(refused.getMessage().contains("code 2"), refused.getMessage());
    assertTrue(refused.getMessage().contains("choose a shorter node folder"));
  }

  @Test
  void an_unneeded_keeper_ends_itself() throws Exception {
    try (KeeperPlace place = new KeeperPlace(3000);
        KeeperUnderTest brief = new KeeperUnderTest(place)) {
      Process process = brief.start();
      KeeperClient user = brief.client();
      user.spawn(brief.requests().shell(brief.key("a"), "sleep 4"));
      user.close();

      assertEquals(0, process.onExit().get().exitValue());

      assertEquals(new ExitStatus.Code(0), ExitFile.read(brief.folder).orElseThrow().status());
      assertFalse(Files.exists(new KeeperFolder(brief.node()).socket()));
    }
  }
}
