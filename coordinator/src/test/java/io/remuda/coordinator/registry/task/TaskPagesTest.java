package io.remuda.coordinator.registry.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskPagesTest {
  private static final int SIZE = 2 * TaskPages.PAGE + 7;
  private static final int LAST = SIZE - 1;

  private final TaskPages pages = new TaskPages(SIZE);

  private TaskRecord put(int index) {
    TaskRecord task = TaskRecord.first(new TaskId(new JobId(1), index), TaskState.WAITING, 0);
    pages.put(index, task);
    return task;
  }

  private List<String> gaps() {
    List<String> gaps = new ArrayList<>();
    pages.gaps((from, to) -> gaps.add(from + "-" + to));
    return gaps;
  }

  @Test
  void a_job_without_records_is_one_gap() {
    assertEquals(List.of("0-" + SIZE), gaps());
    assertEquals(SIZE, pages.next(0));
    assertNull(pages.get(LAST));
  }

  @Test
  void a_record_is_found_on_each_page() {
    List<TaskRecord> put = List.of(put(0), put(TaskPages.PAGE), put(LAST));
    assertEquals(put, List.of(pages.get(0), pages.get(TaskPages.PAGE), pages.get(LAST)));
    assertEquals(TaskPages.PAGE, pages.next(1));
    assertEquals(LAST, pages.next(TaskPages.PAGE + 1));
    assertEquals(SIZE, pages.next(LAST + 1));
  }

  @Test
  void gaps_reach_over_pages_and_leave_out_the_records() {
    put(0);
    put(1);
    put(TaskPages.PAGE + 5);
    put(LAST);
    int middle = TaskPages.PAGE + 5;
    assertEquals(List.of("2-" + middle, (middle + 1) + "-" + LAST), gaps());
  }
}
