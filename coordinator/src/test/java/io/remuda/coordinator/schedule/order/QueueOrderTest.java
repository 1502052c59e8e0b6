package io.remuda.coordinator.schedule.order;

import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static io.remuda.coordinator.schedule.ScheduleSamples.type;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.LineBuilder;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.QueueOrder.Turn;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Whose turn it is. Each task charges its user 1 unless it is said otherwise. */
class QueueOrderTest {

  private static List<TaskClass> lines(LineBuilder... lines) {
    return Stream.of(lines).map(LineBuilder::line).toList();
  }

  private static QueueOrder order(LineBuilder... lines) {
    return new QueueOrder(lines(lines), Map.of(), Map.of());
  }

  /** The tasks in the order of their turns if each of them is placed. */
  private static List<String> allPlaced(QueueOrder order) {
    List<String> turns = new ArrayList<>();
    for (Optional<Turn> turn = order.next(); turn.isPresent(); turn = order.next()) {
      turns.add(turn.get().task().toString());
      order.placed(turn.get());
    }
    return turns;
  }

  private static LineBuilder bestFit(long job, long gpuMemory) {
    return tasks(job, 1).by(PlacementPolicy.BEST_FIT).need(needs().gpus(1).gpuMemory(gpuMemory));
  }

  @Test
  void no_turn_is_next_where_nothing_waits() {
    assertEquals(Optional.empty(), order().next());
  }

  @Test
  void the_next_turn_stays_until_it_is_decided() {
    QueueOrder order = order(tasks(1, 2));
    assertEquals("1.0", order.next().orElseThrow().task().toString());
    assertEquals("1.0", order.next().orElseThrow().task().toString());
  }

  @Test
  void the_highest_priority_goes_first_and_counts_as_use_of_its_user() {
    assertEquals(
        List.of("3.0", "4.0", "1.0", "2.0"),
        allPlaced(
            order(
                tasks(1, 1),
                tasks(2, 1).priority(-1),
                tasks(3, 1).priority(2),
                tasks(4, 1).of("bob"))));
  }

  @Test
  void priority_goes_before_age_use_and_memory() {
    QueueOrder order =
        new QueueOrder(
            lines(tasks(1, 1), bestFit(2, 90), tasks(9, 1).of("bob").priority(1)),
            Map.of("bob", 1000.0),
            Map.of());
    assertEquals(List.of("9.0", "2.0", "1.0"), allPlaced(order));
  }

  @Test
  void within_a_priority_tasks_that_ran_out_of_memory_go_first_but_not_above_it() {
    assertEquals(
        List.of("4.0", "3.0", "2.0", "1.0"),
        allPlaced(
            order(
                tasks(1, 1),
                tasks(2, 1).again(),
                tasks(3, 1).priority(1),
                tasks(4, 1).priority(1).again())));
  }

  @Test
  void a_user_who_has_used_more_does_not_overtake_by_running_out_of_memory_of_a_lower_priority() {
    assertEquals(
        List.of("2.0", "1.0"),
        allPlaced(order(tasks(1, 1).priority(-1).again(), tasks(2, 1).of("bob"))));
  }

  @Test
  void of_one_user_the_first_submitted_goes_first() {
    assertEquals(
        List.of("1.0", "1.1", "2.0", "10.0"),
        allPlaced(
            order(
                tasks(10, 1).need(needs().cpus(1)),
                tasks(2, 1).need(needs().cpus(2)),
                tasks(1, 2).need(needs().cpus(3)))));
  }

  @Test
  void of_two_users_the_one_with_less_use_goes_first() {
    QueueOrder order =
        new QueueOrder(
            lines(tasks(1, 1), tasks(2, 1).of("bob"), tasks(3, 1).of("cid")),
            Map.of("ann", 3.0, "cid", 2.0),
            Map.of());
    assertEquals(List.of("2.0", "3.0", "1.0"), allPlaced(order));
  }

  @Test
  void users_with_equal_use_are_ordered_by_their_first_task() {
    assertEquals(List.of("1.0", "2.0"), allPlaced(order(tasks(1, 1).of("zoe"), tasks(2, 1))));
    assertEquals(List.of("1.0", "2.0"), allPlaced(order(tasks(2, 1), tasks(1, 1).of("zoe"))));
  }

  @Test
  void each_placement_counts_as_use_at_once() {
    assertEquals(
        List.of("1.0", "2.0", "1.1", "2.1", "1.2", "1.3"),
        allPlaced(order(tasks(1, 4), tasks(2, 2).of("bob"))));
  }

  @Test
  void a_task_that_costs_more_is_charged_more() {
    assertEquals(
        List.of("1.0", "2.0", "2.1", "2.2", "1.1", "2.3"),
        allPlaced(order(tasks(1, 2).charge(3), tasks(2, 4).of("bob"))));
  }

  @Test
  void a_share_of_two_gets_two_tasks_to_one() {
    QueueOrder order =
        new QueueOrder(
            lines(tasks(1, 4), tasks(2, 3).of("bob")), Map.of(), Map.of("ann", 2.0, "bob", 1.0));
    assertEquals(List.of("1.0", "2.0", "1.1", "1.2", "2.1", "1.3", "2.2"), allPlaced(order));
  }

  @Test
  void the_use_that_was_given_is_not_changed() {
    Map<String, Double> use = new HashMap<>(Map.of("ann", 1.0));
    allPlaced(new QueueOrder(lines(tasks(1, 3)), use, Map.of()));
    assertEquals(Map.of("ann", 1.0), use);
  }

  @Test
  void by_best_fit_the_largest_part_goes_first_and_whole_devices_before_all_parts() {
    assertEquals(
        List.of("4.0", "3.0", "1.0", "2.0"),
        allPlaced(order(bestFit(1, 20), bestFit(2, 10), bestFit(3, 30), bestFit(4, 0))));
  }

  @Test
  void by_best_fit_a_type_that_is_not_measured_counts_as_whole() {
    assertEquals(
        List.of("2.0", "1.0"), allPlaced(order(bestFit(1, 90), bestFit(2, ResourceRequest.AUTO))));
  }

  @Test
  void best_fit_goes_before_other_policies_only_if_it_wants_devices() {
    LineBuilder cores = tasks(3, 1).by(PlacementPolicy.BEST_FIT).need(needs().cpus(1));
    assertEquals(List.of("4.0", "1.0", "3.0"), allPlaced(order(tasks(1, 1), cores, bestFit(4, 1))));
  }

  @Test
  void best_fit_of_one_user_does_not_go_before_another_user() {
    assertEquals(List.of("1.0", "2.0"), allPlaced(order(tasks(1, 1).of("bob"), bestFit(2, 90))));
  }

  @Test
  void other_policies_do_not_look_at_memory() {
    LineBuilder small = tasks(1, 1).need(needs().gpus(1).gpuMemory(10));
    LineBuilder large = tasks(2, 1).need(needs().gpus(1).gpuMemory(90));
    assertEquals(List.of("1.0", "2.0"), allPlaced(order(small, large)));
  }

  @Test
  void a_class_that_does_not_fit_leaves_the_plan_with_all_its_tasks() {
    QueueOrder order = order(tasks(1, 3), tasks(2, 1).need(needs().cpus(1)));
    order.blocked(order.next().orElseThrow());
    assertEquals(List.of("2.0"), allPlaced(order));
  }

  @Test
  void a_class_of_which_some_are_placed_may_block_later() {
    QueueOrder order = order(tasks(1, 3), tasks(2, 1).type(type("train")));
    order.placed(order.next().orElseThrow());
    Turn second = order.next().orElseThrow();
    assertEquals("1.1", second.task().toString());
    order.blocked(second);
    assertEquals(List.of("2.0"), allPlaced(order));
  }

  @Test
  void a_blocked_class_costs_its_user_nothing() {
    QueueOrder order = order(tasks(1, 1), tasks(2, 1).need(needs().cpus(1)), tasks(3, 1).of("bob"));
    order.blocked(order.next().orElseThrow());
    assertEquals(List.of("2.0", "3.0"), allPlaced(order));
  }

  @Test
  void a_gang_is_charged_for_all_its_tasks() {
    QueueOrder order =
        order(tasks(1, 3).gang(), tasks(2, 1).need(needs().cpus(1)), tasks(3, 4).of("bob"));
    order.placedAll(order.next().orElseThrow());
    assertEquals(List.of("3.0", "3.1", "3.2", "2.0", "3.3"), allPlaced(order));
  }

  @Provide
  Arbitrary<List<LineBuilder>> queues() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(-1, 1),
            Arbitraries.of("ann", "bob", "cid"),
            Arbitraries.of(PlacementPolicy.values()),
            Arbitraries.of(0L, 10L, 20L),
            Arbitraries.of(true, false))
        .as(
            (count, priority, user, policy, memory, again) -> {
              LineBuilder line = tasks(1, count).priority(priority).of(user).by(policy);
              line.need(needs().gpus(1).gpuMemory(memory));
              return again ? line.again() : line;
            })
        .list()
        .ofMaxSize(8);
  }

  /** The same lines as jobs 1, 2, 3 and so on. */
  private static List<TaskClass> numbered(List<LineBuilder> lines) {
    List<TaskClass> numbered = new ArrayList<>();
    for (LineBuilder line : lines) {
      TaskClass one = line.line();
      numbered.add(
          new TaskClass(
              one.key(),
              tasks(numbered.size() + 1, one.tasks().size()).line().tasks(),
              1,
              one.overtaking()));
    }
    return numbered;
  }

  @Property(tries = 300)
  void every_task_has_one_turn_and_priorities_never_rise(
      @ForAll("queues") List<LineBuilder> queue) {
    List<TaskClass> lines = numbered(queue);
    QueueOrder order = new QueueOrder(lines, Map.of(), Map.of());
    List<String> turns = new ArrayList<>();
    int before = Integer.MAX_VALUE;
    for (Optional<Turn> turn = order.next(); turn.isPresent(); turn = order.next()) {
      TaskClass.SchedulingKey key = turn.get().line().key();
      int rank = 2 * key.priority() + (key.again() ? 1 : 0);
      assertEquals(true, rank <= before, turn.get().task() + " after a lower rank");
      before = rank;
      turns.add(turn.get().task().toString());
      order.placed(turn.get());
    }
    List<String> all = new ArrayList<>();
    lines.forEach(line -> line.tasks().forEach(task -> all.add(task.toString())));
    Collections.sort(all);
    Collections.sort(turns);
    assertEquals(all, turns);
  }

  @Property(tries = 300)
  void the_order_does_not_depend_on_that_of_the_input(@ForAll("queues") List<LineBuilder> queue) {
    List<TaskClass> lines = numbered(queue);
    List<TaskClass> reversed = new ArrayList<>(lines);
    Collections.reverse(reversed);
    assertEquals(
        allPlaced(new QueueOrder(lines, Map.of(), Map.of())),
        allPlaced(new QueueOrder(reversed, Map.of(), Map.of())));
  }
}
