package io.remuda.agent.keeper.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.ResourceUsage;
import io.remuda.agent.keeper.proc.SpawnedProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeeperTasksTest {
  private static final Requests REQUESTS = Requests.in(Path.of("/tmp"));
  private static final ExitStatus OK = new ExitStatus.Code(0);

  private long now = 1_000_000;
  private final KeeperTasks table = new KeeperTasks(() -> now);

  @Test
  void a_contact_deadline_runs_out_at_its_millisecond_and_is_pressed_for_a_second() {
    KeeperTask task = start(REQUESTS.leasedFor(500).withGrace(30_000).run("k", "x"), 100);

    now += 499;
    assertEquals(List.of(), table.wanted());
    assertEquals(1, table.nextDue());
    now += 1;
    assertEquals(1, table.wanted().size());
    assertEquals(1000, table.killIn(task));
    assertEquals(TaskView.State.ENDING, table.find("k").state());
  }

  @Test
  void a_start_has_the_terminator_look_only_if_something_is_due_before_its_next_look()
      throws Exception {
    start(REQUESTS.run("a", "x"), 100);
    start(REQUESTS.leasedFor(KeeperTasks.LONGEST_REST_MILLIS + 1).run("b", "x"), 101);
    assertFalse(table.awaitWork(0));
    start(REQUESTS.leasedFor(KeeperTasks.LONGEST_REST_MILLIS).run("c", "x"), 102);
    assertTrue(table.awaitWork(0));
  }

  @Test
  void an_end_and_a_start_that_is_over_already_have_the_terminator_look() throws Exception {
    table.spawnBegins();
    table.reaped(reaped(100, 100, OK));
    assertTrue(table.awaitWork(0));
    KeeperTasks other = new KeeperTasks(() -> now);
    other.spawnBegins();
    other.close(0);
    other.register(REQUESTS.run("k", "x"), new SpawnedProcess(101, 7), now, List.of());
    assertTrue(other.awaitWork(0));
  }

  @Test
  void a_renewal_counts_from_now_and_zero_takes_the_contact_deadline_away() {
    start(REQUESTS.leasedFor(500).run("a", "x"), 100);
    start(REQUESTS.leasedFor(500).run("b", "x"), 101);
    now += 400;
    table.renew(List.of("a"), 500);
    table.renew(List.of("b"), 0);

    now += 499;
    assertEquals(List.of(), table.wanted());
    now += 1;
    assertEquals(1, table.wanted().size());
    assertEquals(TaskView.State.RUNNING, table.find("b").state());
  }

  @Test
  void an_expired_contact_deadline_cannot_be_renewed() {
    KeeperTask task = start(REQUESTS.leasedFor(500).run("k", "x"), 100);
    now += 500;
    table.wanted();
    table.renew(List.of("k"), 60_000);

    assertEquals(1, table.wanted().size());
    end(task);
    assertTrue(table.exitRecord(task).contactLost());
  }

  @Test
  void a_second_kill_can_only_shorten_the_grace() {
    KeeperTask task = start(REQUESTS.withGrace(50_000).run("k", "x"), 100);
    table.kill("k", 60_000);
    assertEquals(50_000, table.killIn(task));
    table.kill("k", 5000);
    table.kill("k", 60_000);
    assertEquals(5000, table.killIn(task));
    table.kill("k", 100);
    assertEquals(100, table.killIn(task));
  }

  @Test
  void a_task_was_killed_only_if_a_signal_reached_it_before_its_first_process_ended() {
    KeeperTask ended = start(REQUESTS.run("a", "x"), 100);
    KeeperTask told = start(REQUESTS.run("b", "x"), 101);
    table.kill("a", 5000);
    table.kill("b", 5000);
    table.reached(told);
    end(ended);
    end(told);
    table.reached(ended);
    assertFalse(table.exitRecord(ended).killed());
    assertTrue(table.exitRecord(told).killed());
  }

  @Test
  void a_task_that_was_asked_by_its_own_signal_was_killed() {
    KeeperTask task = start(REQUESTS.run("k", "x"), 100);
    table.end("k", new EndingSignal(10, ReachedProcesses.FIRST), 5000);
    table.reached(task);
    end(task);
    assertTrue(table.exitRecord(task).killed());
  }

  @Test
  void the_longest_grace_does_not_overflow() {
    KeeperTask task = start(REQUESTS.run("k", "x"), 100);
    table.kill("k", Long.MAX_VALUE);
    assertTrue(table.killIn(task) > 0);
  }

  @Test
  void a_live_task_is_not_forgotten_and_an_ended_one_is() {
    KeeperTask task = start(REQUESTS.run("k", "x"), 100);
    table.forget("k");
    assertEquals(TaskView.State.RUNNING, table.find("k").state());
    end(task);
    table.exited(task, table.exitRecord(task));
    assertEquals(TaskView.State.EXITED, table.find("k").state());
    table.forget("k");
    assertNull(table.find("k"));
  }

  @Test
  void a_process_reaped_before_it_was_registered_is_not_lost() {
    SpawnRequest request = REQUESTS.run("k", "x");
    table.spawnBegins();
    table.reaped(reaped(100, 100, OK));
    KeeperTask task = table.register(request, new SpawnedProcess(100, 0), now, List.of());
    table.spawnEnds();

    assertEquals(7, task.mark().startTicks());
    assertTrue(table.wanted().get(0).leaderEnded());
  }

  @Test
  void an_orphan_of_its_session_adds_to_what_a_task_used() {
    KeeperTask task = start(REQUESTS.run("k", "x"), 100);
    table.reaped(reaped(555, 100, OK));
    end(task);

    assertEquals(20, table.exitRecord(task).userCpuMillis());
  }

  @Test
  void a_closing_table_takes_no_more() {
    assertTrue(table.calm() >= 0);
    KeeperTask task = start(REQUESTS.run("k", "x"), 100);
    assertFalse(table.closeIfCalm());
    table.close(0);
    assertFalse(table.spawnBegins());
    assertEquals(0, table.killIn(task));
    end(task);
    table.exited(task, table.exitRecord(task));
    assertTrue(table.closeIfCalm());
  }

  @Test
  void a_dead_leader_is_known_until_it_is_reaped() {
    KeeperTask task = start(REQUESTS.run("k", "x"), 100);
    assertEquals(new ProcStat(100, 'Z', 0, 100, 7), table.unreapedLeader(100));
    assertNull(table.unreapedLeader(101));
    end(task);
    assertNull(table.unreapedLeader(100), "another process may have its pid now");
  }

  private KeeperTask start(SpawnRequest request, int pid) {
    table.spawnBegins();
    KeeperTask task = table.register(request, new SpawnedProcess(pid, 7), now, List.of());
    table.spawnEnds();
    return task;
  }

  private void end(KeeperTask task) {
    table.reaped(reaped(task.mark().leader(), task.mark().leader(), OK));
  }

  private ReapedProcess reaped(int pid, int session, ExitStatus status) {
    return new ReapedProcess(
        new ProcStat(pid, 'Z', 1, session, 7), status, new ResourceUsage(10, 1, 1), now);
  }
}
