package io.remuda.agent.keeper.task;

import static io.remuda.agent.keeper.task.KeeperUnderTest.alive;
import static io.remuda.agent.keeper.task.KeeperUnderTest.awaitGone;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All processes of a task end with it, however they try to stay, and no others. */
class KeeperTreeIT extends WithKeeper {
  @Test
  void a_double_forked_child_in_its_own_session_is_killed_with_its_task() {
    String daemon = "(setsid sh -c 'echo $$ > daemon; exec sleep 1000' &) ; sleep 1000";
    client.spawn(keeper.requests().shell(keeper.key("tree"), daemon));
    int pid = keeper.awaitPid("daemon");

    client.kill(keeper.key("tree"), 2000);
    ExitRecord exit = keeper.awaitExit(client, keeper.key("tree"));

    assertFalse(alive(pid));
    assertEquals(new ExitStatus.Signal(15, false), exit.status());
    assertTrue(exit.killed());
  }

  @Test
  void what_outlives_the_first_process_is_ended_and_counted() {
    String script =
        "(setsid sh -c 'trap \"\" TERM; echo $$ > daemon; while :; do sleep 1; done' &);"
            + " while ! test -s daemon; do sleep 0.01; done; exit 3";
    client.spawn(keeper.requests().shell(keeper.key("left"), script));
    int pid = keeper.awaitPid("daemon");

    ExitRecord exit = keeper.awaitExit(client, keeper.key("left"));

    assertFalse(alive(pid));
    assertEquals(new ExitStatus.Code(3), exit.status());
    assertTrue(exit.leftovers() >= 1, exit.toString());
    assertFalse(exit.killed());
  }

  @Test
  void a_daemon_without_any_mark_is_ended_with_the_last_task() {
    String script =
        "env -i setsid sh -c 'echo $$ > daemon; exec /bin/sleep 1000' & "
            + "while ! test -s daemon; do sleep 0.01; done; exit 0";
    client.spawn(keeper.requests().shell(keeper.key("bare"), script));
    int pid = keeper.awaitPid("daemon");

    keeper.awaitExit(client, keeper.key("bare"));

    awaitGone(pid);
  }

  @Test
  void a_daemon_of_one_task_survives_the_end_of_another() {
    String daemon = "(setsid sh -c 'echo $$ > daemon; exec sleep 1000' &) ; sleep 1000";
    client.spawn(keeper.requests().shell(keeper.key("a"), daemon));
    int pid = keeper.awaitPid("daemon");

    client.spawn(keeper.requests().shell(keeper.key("b"), "exit 0"));
    assertEquals(0, keeper.awaitExit(client, keeper.key("b")).leftovers());

    assertTrue(alive(pid));
    client.kill(keeper.key("a"), 0);
    keeper.awaitExit(client, keeper.key("a"));
    assertFalse(alive(pid));
  }

  @Test
  void a_task_that_ignores_sigterm_is_killed_after_its_grace() {
    client.spawn(
        keeper
            .requests()
            .shell(keeper.key("deaf"), "trap '' TERM; echo $$ > up; while :; do sleep 1; done"));
    keeper.awaitPid("up");

    client.kill(keeper.key("deaf"), 300);
    ExitRecord exit = keeper.awaitExit(client, keeper.key("deaf"));

    assertEquals(new ExitStatus.Signal(9, false), exit.status());
  }

  @Test
  void a_task_may_end_itself_in_order_within_its_grace() {
    client.spawn(
        keeper
            .requests()
            .shell(
                keeper.key("neat"),
                "trap 'exit 5' TERM; echo $$ > up; while :; do sleep 0.05; done"));
    keeper.awaitPid("up");

    client.kill(keeper.key("neat"), 60_000);

    assertEquals(new ExitStatus.Code(5), keeper.awaitExit(client, keeper.key("neat")).status());
  }

  @Test
  void what_a_task_starts_to_save_something_gets_no_sigterm() throws IOException {
    String script =
        "trap 'sleep 0.5 && echo kept > kept; exit 0' TERM;"
            + " echo $$ > up; while :; do sleep 0.05; done";
    client.spawn(keeper.requests().withGrace(30_000).shell(keeper.key("saves"), script));
    keeper.awaitPid("up");

    client.kill(keeper.key("saves"), 30_000);

    assertEquals(new ExitStatus.Code(0), keeper.awaitExit(client, keeper.key("saves")).status());
    assertEquals("kept\n", keeper.read("kept"));
  }

  @Test
  void a_stopped_task_ends_at_sigterm() {
    client.spawn(keeper.requests().shell(keeper.key("stop"), "echo $$ > up; exec sleep 1000"));
    int pid = keeper.awaitPid("up");
    Posix.kill(pid, 19);
    await().until(() -> ProcFiles.stat(pid).state() == 'T');

    client.kill(keeper.key("stop"), 60_000);

    assertEquals(
        new ExitStatus.Signal(15, false), keeper.awaitExit(client, keeper.key("stop")).status());
  }

  @Test
  void a_fork_storm_is_ended() throws IOException {
    String script =
        "echo $$ > up; f() { for i in 1 2 3; do (setsid sh -c 'while :; do sleep 0.02; done' &);"
            + " sleep 0.01; done; }; while :; do f; done";
    client.spawn(
        keeper.requests().shell(keeper.key("storm"), "timeout 5 sh -c \"" + script + "\""));
    keeper.awaitPid("up");

    client.kill(keeper.key("storm"), 0);
    keeper.awaitExit(client, keeper.key("storm"));

    assertEquals(List.of(), marked(keeper.key("storm")));
  }

  private static List<Integer> marked(String key) {
    return ProcFiles.all().stream()
        .filter(process -> !process.dead())
        .map(ProcStat::pid)
        .filter(
            pid -> {
              byte[] environment = ProcFiles.environment(pid);
              return environment != null
                  && key.equals(ProcFiles.variable(environment, TaskMark.KEY));
            })
        .toList();
  }
}
