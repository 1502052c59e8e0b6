package io.remuda.coordinator.registry.task;

/**
 * The records of those tasks of a job that have one, by index. A page of records takes memory only
 * once a task of it has a record. Single-threaded.
 */
public final class TaskPages {

  /** Number of tasks per page. */
  static final int PAGE = 1024;

  /** A consumer of ranges of tasks. */
  public interface Ranges {
    /** Accepts the range from an index, inclusive, to an index, exclusive. */
    void range(int from, int to);
  }

  private final int size;

  /** By page and index; null for pages and tasks without a record. */
  private final TaskRecord[][] pages;

  /**
   * @param size number of tasks of the job
   */
  public TaskPages(int size) {
    this.size = size;
    this.pages = new TaskRecord[(size + PAGE - 1) / PAGE][];
  }

  /** Returns the record of a task, or null. */
  public TaskRecord get(int index) {
    TaskRecord[] page = pages[index / PAGE];
    return page == null ? null : page[index % PAGE];
  }

  /** Replaces the record of a task. */
  public void put(int index, TaskRecord task) {
    int page = index / PAGE;
    if (pages[page] == null) {
      pages[page] = new TaskRecord[Math.min(PAGE, size - page * PAGE)];
    }
    pages[page][index % PAGE] = task;
  }

  /** Returns the index of the first record from {@code from} on, or the number of tasks. */
  public int next(int from) {
    int index = from;
    while (index < size) {
      if (pages[index / PAGE] == null) {
        index = (index / PAGE + 1) * PAGE;
      } else if (get(index) == null) {
        index++;
      } else {
        return index;
      }
    }
    return size;
  }

  /** Passes all ranges of tasks without a record, in order. */
  public void gaps(Ranges ranges) {
    int from = 0;
    for (int index = next(0); index < size; index = next(index + 1)) {
      if (from < index) {
        ranges.range(from, index);
      }
      from = index + 1;
    }
    if (from < size) {
      ranges.range(from, size);
    }
  }
}
