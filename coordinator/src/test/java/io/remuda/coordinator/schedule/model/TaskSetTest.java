package io.remuda.coordinator.schedule.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The borders of ranges by example; {@link TaskSetPropertyTest} has the rest. */
class TaskSetTest {
  private static final JobId JOB = new JobId(1);

  private static TaskId task(String id) {
    return TaskId.parse(id);
  }

  private static TaskSet set(String... tasks) {
    return TaskSet.of(Stream.of(tasks).map(TaskId::parse).toList());
  }

  @ParameterizedTest(name = "3..5 and then {0}..{1}")
  @CsvSource({
    "6, 8, 1.3..7",
    "7, 8, 1.3..5 1.7..7",
    "0, 3, 1.0..5",
    "0, 2, 1.0..1 1.3..5",
    "3, 6, 1.3..5",
    "4, 5, 1.3..5",
    "0, 9, 1.0..8",
    "2, 4, 1.2..5",
    "5, 7, 1.3..6",
    "4, 4, 1.3..5",
    "5, 4, 1.3..5"
  })
  void ranges_that_touch_or_overlap_become_one(int from, int to, String expected) {
    TaskSet set = new TaskSet();
    set.add(JOB, 3, 6);
    assertEquals(!expected.equals(set.toString()), set.add(JOB, from, to));
    assertEquals(expected, set.toString());
  }

  @Test
  void a_range_that_fills_a_gap_joins_both_sides() {
    TaskSet set = set("1.0", "1.2", "1.4");
    assertEquals(3, set.ranges());
    set.add(task("1.1"));
    assertEquals("1.0..2 1.4..4", set.toString());
    set.add(task("1.3"));
    assertEquals("1.0..4", set.toString());
    assertEquals(5, set.size());
  }

  @Test
  void ranges_of_different_jobs_never_touch() {
    TaskSet set = set("1.1", "2.2", "2.0", "1.0");
    assertEquals("1.0..1 2.0..0 2.2..2", set.toString());
    assertEquals(List.of(task("1.0"), task("1.1"), task("2.0"), task("2.2")), List.copyOf(set));
  }

  @ParameterizedTest(name = "0..4 without {0}")
  @CsvSource({"0, 1.1..4", "4, 1.0..3", "2, 1.0..1 1.3..4", "5, 1.0..4"})
  void a_task_may_leave_at_the_ends_and_in_the_middle(int index, String expected) {
    TaskSet set = new TaskSet();
    set.add(JOB, 0, 5);
    assertEquals(index < 5, set.remove(new TaskId(JOB, index)));
    assertEquals(expected, set.toString());
    assertEquals(index < 5 ? 4 : 5, set.size());
  }

  @Test
  void the_last_task_leaves_an_empty_set() {
    TaskSet set = set("1.7");
    assertEquals(true, set.remove(task("1.7")));
    assertEquals(0, set.size());
    assertEquals(0, set.ranges());
    assertEquals("", set.toString());
    assertThrows(NoSuchElementException.class, set::first);
    assertEquals(false, set.iterator().hasNext());
    assertThrows(NoSuchElementException.class, () -> set.iterator().next());
  }

  @Test
  void what_is_no_task_is_neither_in_it_nor_removed() {
    TaskSet set = set("1.0");
    Object text = "1.0";
    assertEquals(false, set.contains(text));
    assertEquals(false, set.remove(text));
    assertEquals(false, set.contains(task("1.1")));
    assertEquals(false, set.contains(task("2.0")));
    assertEquals(true, set.contains(task("1.0")));
  }

  @Test
  void the_next_task_after_one_may_be_of_the_next_range_or_job() {
    TaskSet set = set("1.0", "1.1", "1.5", "3.2");
    assertEquals(task("1.1"), set.higher(task("1.0")));
    assertEquals(task("1.5"), set.higher(task("1.1")));
    assertEquals(task("1.5"), set.higher(task("1.3")));
    assertEquals(task("3.2"), set.higher(task("1.5")));
    assertEquals(task("3.2"), set.higher(task("2.9")));
    assertNull(set.higher(task("3.2")));
    assertNull(set.higher(task("4.0")));
  }

  @Test
  void all_tasks_of_a_job_leave_at_once_and_others_stay() {
    TaskSet set = set("1.0", "2.0", "2.1", "2.7", "3.0");
    assertEquals(3, set.removeAll(new JobId(2)));
    assertEquals("1.0..0 3.0..0", set.toString());
    assertEquals(2, set.size());
    assertEquals(0, set.removeAll(new JobId(2)));
  }

  @Test
  void another_set_is_added_range_by_range() {
    TaskSet set = set("1.0", "1.4");
    assertEquals(true, set.addAll(set("1.1", "1.2", "1.3", "2.0")));
    assertEquals("1.0..4 2.0..0", set.toString());
    assertEquals(false, set.addAll(set("1.2", "2.0")));
    assertEquals(6, set.size());
  }

  @Test
  void iteration_goes_on_although_the_task_before_has_left() {
    TaskSet set = set("1.0", "1.1", "1.2");
    Iterator<TaskId> tasks = set.iterator();
    assertEquals(task("1.0"), tasks.next());
    set.remove(task("1.0"));
    assertEquals(task("1.1"), tasks.next());
    assertEquals(task("1.2"), tasks.next());
    assertEquals(false, tasks.hasNext());
  }
}
