package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The chosen job. */
class JobCursorTest {

  private static List<TopScreenData.Job> jobs(long... ids) {
    return LongStream.of(ids).mapToObj(id -> Pictures.job(id, "a", "running", "")).toList();
  }

  @Test
  void it_stays_at_its_job_and_at_its_place_when_that_is_gone() {
    JobCursor second = JobCursor.FIRST.in(jobs(5, 6, 7)).after(TopKey.DOWN, jobs(5, 6, 7), 3);
    assertEquals(new JobCursor(1, 6), second);
    assertEquals(new JobCursor(2, 6), second.in(jobs(1, 5, 6, 7)));
    assertEquals(new JobCursor(1, 7), second.in(jobs(5, 7)));
    assertEquals(new JobCursor(0, 5), second.in(jobs(5)));
    assertEquals(JobCursor.FIRST, second.in(jobs()));
  }

  @Test
  void keys_move_it_within_the_list_and_the_list_scrolls_with_it() {
    List<TopScreenData.Job> jobs = jobs(1, 2, 3, 4, 5, 6);
    JobCursor last = JobCursor.FIRST.in(jobs).after(TopKey.END, jobs, 3);
    assertEquals(new JobCursor(5, 6), last);
    assertEquals(new JobCursor(5, 6), last.after(TopKey.PAGE_DOWN, jobs, 3));
    assertEquals(new JobCursor(2, 3), last.after(TopKey.PAGE_UP, jobs, 3));
    assertEquals(new JobCursor(0, 1), last.after(TopKey.HOME, jobs, 3).after(TopKey.UP, jobs, 3));
    assertEquals(3, last.scrolled(0, 3));
    assertEquals(1, new JobCursor(1, 2).scrolled(3, 3));
    assertEquals(2, new JobCursor(3, 4).scrolled(2, 3));
  }
}
