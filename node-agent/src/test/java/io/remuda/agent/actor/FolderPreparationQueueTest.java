package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.actor.NodeAgentCommand.FoldersPrepared.Prepared;
import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class FolderPreparationQueueTest {
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final List<List<String>> prepared = new ArrayList<>();
  private final List<TaskEnd.Kind> refusals = new ArrayList<>();
  private long now;
  private long nanosEach;
  private int looks;
  private Error faultOfLook;

  private final FileWork files =
      new FileWork() {
        @Override
        public void add(Runnable one) {
          work.add(one);
        }

        @Override
        public Duration busy() {
          return Duration.ZERO;
        }

        @Override
        public void close() {}
      };

  private final FolderPreparationQueue queue =
      new FolderPreparationQueue(files, () -> now, this::look, this::prepare, this::note);

  private Optional<String> look() {
    looks++;
    if (faultOfLook != null) {
      throw faultOfLook;
    }
    return Optional.empty();
  }

  private TaskFolderPreparation prepare(TaskStartOrder order, Optional<String> full) {
    now += nanosEach;
    return new TaskFolderPreparation(Optional.empty(), Optional.empty());
  }

  private void note(List<Prepared> some) {
    prepared.add(some.stream().map(one -> one.order().attempt().toString()).toList());
    some.forEach(one -> one.folder().refusal().ifPresent(end -> refusals.add(end.kind())));
  }

  private void add(String... attempts) {
    queue.add(Arrays.stream(attempts).map(each -> TestAgents.command(each, 1)).toList());
  }

  private void doAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  @Test
  void those_that_have_come_are_prepared_together_in_their_order() {
    add("1.0.1", "1.1.1");
    add("1.2.1");
    doAll();
    assertEquals(List.of(List.of("1.0.1", "1.1.1", "1.2.1")), prepared);
    assertEquals(1, looks);
  }

  @Test
  void the_disk_is_looked_at_again_after_as_many_as_it_has_room_for_in_reserve() {
    String[] many = new String[FolderPreparationQueue.MOST + 1];
    Arrays.setAll(many, i -> "1." + i + ".1");
    add(many);
    doAll();
    assertEquals(
        List.of(FolderPreparationQueue.MOST, 1), prepared.stream().map(List::size).toList());
    assertEquals(2, looks);
  }

  @Test
  void on_a_slow_disk_what_is_prepared_is_told_and_other_work_is_done_before_the_next() {
    nanosEach = FolderPreparationQueue.MOST_NANOS / 2;
    add("1.0.1", "1.1.1", "1.2.1");
    files.add(() -> prepared.add(List.of("other")));
    doAll();
    assertEquals(List.of(List.of("1.0.1", "1.1.1"), List.of("other"), List.of("1.2.1")), prepared);
  }

  @Test
  void one_that_may_take_long_is_prepared_alone() {
    queue.add(
        List.of(
            TestAgents.command("1.0.1", 1),
            inContainer(TestAgents.command("1.1.1", 1)),
            TestAgents.command("1.2.1", 1)));
    doAll();
    assertEquals(List.of(List.of("1.0.1"), List.of("1.1.1"), List.of("1.2.1")), prepared);
  }

  private static TaskStartOrder inContainer(TaskStartOrder order) {
    ContainerTerms terms =
        new ContainerTerms("image:1", "podman", List.of(), List.of(), 0, 0, false);
    return new TaskStartOrder(
        order.attempt(),
        order.user(),
        order.tied(),
        order.contactMillis(),
        new CommandWorkload(List.of("true"), Map.of(), "/", 022, terms),
        order.devices(),
        order.threads(),
        order.cuda(),
        order.job(),
        order.slot(),
        null,
        null);
  }

  @Test
  void work_that_is_cut_short_by_want_of_memory_gives_each_order_back() {
    faultOfLook = new OutOfMemoryError("Java heap space");
    add("1.0.1", "1.1.1");
    doAll();
    assertEquals(List.of(List.of("1.0.1"), List.of("1.1.1")), prepared);
    assertEquals(List.of(TaskEnd.Kind.NOT_BEGUN, TaskEnd.Kind.NOT_BEGUN), refusals);
  }
}
