package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.GangTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent whose disk stands still: nothing that it does with files is done for now. */
@Tag("attack")
@Tag("attack-bad-disk")
class NodeAgentFilesTest extends WithNodeAgent {

  /** Files that stand still when they are told to. */
  private static final class Held implements FileWork {
    private final List<Runnable> waiting = new ArrayList<>();
    private Duration busy = Duration.ZERO;
    private boolean frozen;
    private Error fault;

    @Override
    public void add(Runnable work) {
      if (frozen) {
        waiting.add(work);
      } else {
        work.run();
      }
    }

    @Override
    public Duration busy() {
      return busy;
    }

    @Override
    public void close() {}

    @Override
    public <T> void add(Supplier<T> work, Function<Throwable, T> failed, Consumer<T> then) {
      Error now = fault;
      Supplier<T> doomed =
          () -> {
            throw now;
          };
      FileWork.super.add(now == null ? work : doomed, failed, then);
    }

    /** The first of what waits is done, and nothing else. */
    void thawFirst() {
      waiting.remove(0).run();
    }

    void thaw() {
      frozen = false;
      busy = Duration.ZERO;
      waiting.forEach(Runnable::run);
      waiting.clear();
    }
  }

  private final Held files = new Held();

  @Override
  FileWork files() {
    return files;
  }

  private boolean hasAskedForStart() {
    return toKeeper().stream().anyMatch(KeeperConnectionActor.Spawn.class::isInstance);
  }

  private List<AgentMessage> standstills() {
    return toCoordinator().stream().filter(AgentMessage.Standstill.class::isInstance).toList();
  }

  @Test
  void it_reports_and_renews_contact_deadlines_while_its_disk_stands_still() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    toKeeper();
    files.frozen = true;
    wants(2, TestAgents.order("1.0.1"), TestAgents.command("2.0.1", 1));
    tick();
    assertEquals(List.of("1.0.1 RUNNING", "2.0.1 STARTING"), tasks(report().tasks()));
    List<KeeperConnectionActor.Command> told = toKeeper();
    assertTrue(
        told.stream().anyMatch(KeeperConnectionActor.Renew.class::isInstance), told::toString);
    assertFalse(
        told.stream().anyMatch(KeeperConnectionActor.Spawn.class::isInstance), "it has no folder");
    files.thaw();
    settle();
    assertTrue(hasAskedForStart());
  }

  @Test
  void a_disk_that_stands_still_for_long_is_told_until_it_goes_on() {
    startWelcomed();
    files.busy = Duration.ofSeconds(4);
    tick();
    assertEquals(List.of(), standstills());
    files.busy = Duration.ofSeconds(5);
    tick();
    AgentMessage still = new AgentMessage.Standstill("the disk of " + folder, 5000);
    assertEquals(List.of(still), standstills());
    files.thaw();
    tick();
    tick();
    assertEquals(List.of(new AgentMessage.Standstill("", 0)), standstills());
  }

  @Test
  void what_does_not_start_for_long_says_why() {
    startWelcomed();
    files.frozen = true;
    wants(1, TestAgents.command("1.0.1", 1));
    tick();
    assertNull(report().tasks().get(0).end());
    clock.advance(Duration.ofSeconds(5));
    tick();
    TaskEnd why = report().tasks().get(0).end();
    assertEquals(TaskEnd.Kind.NOT_BEGUN, why.kind());
    assertTrue(why.cause().matches("node n1 prepares its folder since [0-9:]+"), why::cause);
    files.thaw();
    settle();
    assertTrue(hasAskedForStart());
  }

  @Test
  void what_is_not_wanted_any_more_when_the_disk_goes_on_never_begins() {
    startWelcomed();
    files.frozen = true;
    wants(1, TestAgents.command("1.0.1", 1));
    wants(2);
    files.thaw();
    settle();
    assertFalse(hasAskedForStart());
  }

  @Test
  void a_task_is_killed_at_once_and_its_end_is_told_when_it_can_be_read() {
    startWelcomed(view("r1/n1/1.0.1"));
    wants(1, TestAgents.order("1.0.1"));
    files.frozen = true;
    wants(2);
    assertTrue(toKeeper().stream().anyMatch(KeeperConnectionActor.Kill.class::isInstance));
    ExitRecord exit =
        new ExitRecord(
            "r1/n1/1.0.1", 4711, 1, new ExitStatus.Signal(15, false), 1, 0, 0, 0, false, true, 0);
    run(
        new NodeAgentCommand.TaskExited(
            new TaskView("r1/n1/1.0.1", 4711, 1, TaskView.State.EXITED, exit)));
    tick();
    assertEquals(List.of("1.0.1 ENDING"), tasks(report().tasks()));
    files.thaw();
    settle();
    tick();
    assertEquals(List.of("1.0.1 ENDED"), tasks(report().tasks()));
    wants(3);
    tick();
    assertEquals(List.of(), tasks(report().tasks()), "it is over, and nobody wants it");
  }

  @Test
  void a_keeper_that_is_joined_again_says_what_became_of_each_task() {
    startWelcomed();
    wants(1, TestAgents.command("1.0.1", 1), TestAgents.command("2.0.1", 2));
    run(new NodeAgentCommand.KeeperAway("another client has taken over"));
    run(new NodeAgentCommand.KeeperReady(2, List.of(view("r1/n1/1.0.1"))));
    tick();
    assertEquals(List.of("1.0.1 RUNNING", "2.0.1 REFUSED"), tasks(report().tasks()));
  }

  @Test
  void what_is_handed_on_before_a_keeper_joined_anew_is_looked_at_is_for_no_connection() {
    startWelcomed();
    files.frozen = true;
    wants(1, TestAgents.command("1.0.1", 1));
    run(new NodeAgentCommand.KeeperAway("another client has taken over"));
    run(new NodeAgentCommand.KeeperReady(2, List.of()));
    files.thawFirst();
    settle();
    List<Long> connections = connectionsOfStarts();
    assertEquals(List.of(KeeperConnectionActor.NO_CONNECTION), connections, "the list may lack it");
    files.thaw();
    settle();
    wants(2, TestAgents.command("2.0.1", 2));
    settle();
    assertEquals(List.of(2L), connectionsOfStarts());
  }

  @Test
  void of_many_orders_some_are_prepared_at_a_time_and_other_work_goes_in_between() {
    startWelcomed();
    files.frozen = true;
    int most = FolderPreparationQueue.MOST;
    wants(
        1,
        IntStream.range(0, 2 * most + 1)
            .mapToObj(i -> TestAgents.command("1." + i + ".1", i + 1))
            .toArray(TaskStartOrder[]::new));
    List<Integer> startsBefore = new ArrayList<>();
    files.add(() -> startsBefore.add(startsAskedFor()));
    files.thawFirst();
    settle();
    files.thawFirst();
    assertEquals(List.of(most), startsBefore);
    files.thawFirst();
    settle();
    assertEquals(most, startsAskedFor());
    files.thawFirst();
    settle();
    assertEquals(1, startsAskedFor());
  }

  private int startsAskedFor() {
    return connectionsOfStarts().size();
  }

  @Test
  void of_many_folders_some_are_retired_at_a_time() throws Exception {
    startWelcomed();
    int many = 20;
    List<TaskStartOrder> orders =
        IntStream.range(0, many).mapToObj(i -> TestAgents.command("1." + i + ".1", i + 1)).toList();
    refused(orders);
    files.frozen = true;
    wants(2);
    assertEquals(many, inTasks());
    files.thawFirst();
    assertTrue(inTasks() > 0, "other work waits for all of them");
    files.thawFirst();
    assertEquals(0, inTasks());
  }

  @Test
  void what_attempts_had_is_free_for_an_order_that_comes_before_all_their_folders_are_moved()
      throws Exception {
    startWelcomed();
    int port = 29_500;
    List<TaskStartOrder> orders = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      orders.add(TestAgents.command("1." + i + ".1", i + 1));
    }
    orders.add(withPort("2.0.1", 41, port));
    refused(orders);
    toKeeper();
    files.frozen = true;
    wants(2, withPort("3.0.1", 42, port));
    files.thawFirst();
    files.thawFirst();
    settle();
    assertEquals(1, startsAskedFor());
    files.thaw();
  }

  /** The keeper refuses these orders, and the coordinator hears of it. */
  private void refused(List<TaskStartOrder> orders) {
    wants(1, orders.toArray(TaskStartOrder[]::new));
    for (TaskStartOrder order : orders) {
      run(
          new NodeAgentCommand.TaskAnswered(
              order.attempt(), new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, "away")));
    }
    tick();
    report();
  }

  /** An order for a member of a gang that listens on a port. */
  private static TaskStartOrder withPort(String attempt, long slot, int port) {
    TaskStartOrder plain = TestAgents.command(attempt, slot);
    GangStart.Member member = new GangStart.Member("n1", "127.0.0.1", port + 1, List.of());
    return new TaskStartOrder(
        plain.attempt(),
        plain.user(),
        plain.tied(),
        plain.contactMillis(),
        plain.workload(),
        plain.devices(),
        plain.threads(),
        plain.cuda(),
        new TaskStartOrder.JobFacts(
            plain.job().uuid(),
            plain.job().name(),
            1,
            plain.job().request(),
            GangTerms.USUAL,
            new GangStart(1, 0, port, List.of(member))),
        slot,
        null,
        null);
  }

  private int inTasks() {
    return folder.resolve("tasks").toFile().list().length;
  }

  private List<Long> connectionsOfStarts() {
    return toKeeper().stream()
        .filter(KeeperConnectionActor.Spawn.class::isInstance)
        .map(word -> ((KeeperConnectionActor.Spawn) word).connection())
        .toList();
  }

  @Test
  void work_that_is_cut_short_by_want_of_memory_has_a_result_and_holds_up_nothing() {
    startWelcomed();
    files.fault = new OutOfMemoryError("Java heap space");
    wants(1, TestAgents.command("1.0.1", 1));
    files.fault = null;
    settle();
    tick();
    assertEquals(List.of("1.0.1 REFUSED"), tasks(report().tasks()));
    run(new NodeAgentCommand.KeeperAway("another client has taken over"));
    files.fault = new OutOfMemoryError("Java heap space");
    run(new NodeAgentCommand.KeeperReady(2, List.of()));
    files.fault = null;
    settle();
    run(new NodeAgentCommand.KeeperReady(2, List.of())); // as its timer has it
    wants(2, TestAgents.command("2.0.1", 2));
    settle();
    assertEquals(List.of(2L), connectionsOfStarts());
  }
}
