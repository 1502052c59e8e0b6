package io.remuda.coordinator.cli.top;

import java.util.List;

/**
 * The chosen job of a list. It stays at its job while others come and go, and at its place when
 * that job is gone.
 *
 * @param index in the list, from 0
 * @param job its number; 0 before it was looked for
 */
record JobCursor(int index, long job) {

  static final JobCursor FIRST = new JobCursor(0, 0);

  /** Returns the cursor in a newer list. */
  JobCursor in(List<TopScreenData.Job> jobs) {
    if (jobs.isEmpty()) {
      return FIRST;
    }
    for (int i = 0; job != 0 && i < jobs.size(); i++) {
      if (jobs.get(i).id() == job) {
        return new JobCursor(i, job);
      }
    }
    int near = Math.max(0, Math.min(index, jobs.size() - 1));
    return new JobCursor(near, jobs.get(near).id());
  }

  /** Returns the cursor after a key; {@code page} is the number of visible jobs. */
  JobCursor after(TopKey key, List<TopScreenData.Job> jobs, int page) {
    int by =
        switch (key) {
          case UP -> -1;
          case DOWN -> 1;
          case PAGE_UP -> -Math.max(1, page);
          case PAGE_DOWN -> Math.max(1, page);
          case HOME -> -jobs.size();
          case END -> jobs.size();
          default -> 0;
        };
    return by == 0 ? this : new JobCursor(index + by, 0).in(jobs);
  }

  /** Returns the number of jobs above the first visible one, so that this one is visible. */
  int scrolled(int first, int shown) {
    return Math.max(index - Math.max(1, shown) + 1, Math.min(first, index));
  }
}
