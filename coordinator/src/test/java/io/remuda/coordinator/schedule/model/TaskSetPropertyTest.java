package io.remuda.coordinator.schedule.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A set of ranges is the same as one of single tasks, whatever is done to it. */
class TaskSetPropertyTest {

  private static final int TASKS = 12;

  enum Kind {
    ADD,
    ADD_RANGE,
    ADD_OTHERS,
    REMOVE,
    REMOVE_JOB
  }

  record Step(Kind kind, long job, int from, int to) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.longs().between(1, 3),
            Arbitraries.integers().between(0, TASKS),
            Arbitraries.integers().between(0, TASKS))
        .as(Step::new)
        .list()
        .ofMaxSize(60);
  }

  @Property(tries = 500)
  void ranges_hold_what_single_tasks_would(@ForAll("steps") List<Step> steps) {
    TaskSet ranges = new TaskSet();
    TreeSet<TaskId> single = new TreeSet<>();
    for (Step step : steps) {
      take(step, ranges, single);
      assertSame(ranges, single);
    }
  }

  private static TaskId task(long job, int index) {
    return new TaskId(new JobId(job), index);
  }

  private static void take(Step step, TaskSet ranges, TreeSet<TaskId> single) {
    TaskId task = task(step.job(), step.from());
    switch (step.kind()) {
      case ADD -> assertEquals(single.add(task), ranges.add(task));
      case ADD_RANGE -> assertEquals(addAll(step, single), addRange(step, ranges));
      case ADD_OTHERS -> {
        TaskSet others = new TaskSet();
        addRange(step, others);
        assertEquals(addAll(step, single), ranges.addAll(others));
      }
      case REMOVE -> assertEquals(single.remove(task), ranges.remove(task));
      case REMOVE_JOB -> {
        int before = single.size();
        single.removeIf(one -> one.job().equals(task.job()));
        assertEquals(before - single.size(), ranges.removeAll(task.job()));
      }
    }
  }

  private static boolean addRange(Step step, TaskSet ranges) {
    return ranges.add(new JobId(step.job()), step.from(), step.to());
  }

  private static boolean addAll(Step step, TreeSet<TaskId> single) {
    boolean any = false;
    for (int index = step.from(); index < step.to(); index++) {
      any |= single.add(task(step.job(), index));
    }
    return any;
  }

  private static void assertSame(TaskSet ranges, TreeSet<TaskId> single) {
    assertEquals(List.copyOf(single), List.copyOf(ranges));
    assertEquals(single.size(), ranges.size());
    assertEquals(single.isEmpty(), ranges.isEmpty());
    if (!single.isEmpty()) {
      assertEquals(single.first(), ranges.first());
    }
    for (long job = 1; job <= 3; job++) {
      for (int index = 0; index <= TASKS; index++) {
        assertEquals(single.higher(task(job, index)), ranges.higher(task(job, index)));
        assertEquals(single.contains(task(job, index)), ranges.contains(task(job, index)));
      }
    }
    long starts =
        single.stream()
            .filter(
                one ->
                    one.index() == 0 || !single.contains(task(one.job().value(), one.index() - 1)))
            .count();
    assertEquals(starts, ranges.ranges(), "ranges that touch are one");
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  void a_million_tasks_are_one_range() {
    TaskSet set = new TaskSet();
    assertTrue(set.add(new JobId(1), 0, 1_000_000));
    assertEquals(1, set.ranges());
    assertEquals(1_000_000, set.size());
    set.remove(set.first());
    assertEquals("1.1..999999", set.toString());
  }
}
