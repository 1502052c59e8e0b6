package io.remuda.coordinator.rest.select;

import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.Sweep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tasks of a job by array index, to find many of them. */
final class ArrayIndexLookup {

  private static final int SHIFT = Integer.SIZE;

  private final TaskArrayTerms terms;
  private final int tasks;

  /** Index and task of each, ascending; null until it is needed. */
  private long[] sorted;

  ArrayIndexLookup(TaskArrayTerms terms, int tasks) {
    this.terms = terms;
    this.tasks = tasks;
  }

  /** Returns the array index of a task; null if those of its job are the tasks' numbers. */
  Integer of(int task) {
    return terms.indexOf(task);
  }

  /** Returns the tasks with these indices, by ascending index. */
  List<Integer> tasks(TaskSelector.Range indices) {
    if (sorted == null) {
      Sweep sweep = terms.sweep();
      sorted = new long[tasks];
      Arrays.setAll(
          sorted, task -> (long) (sweep == null ? task : sweep.arrayIndex(task)) << SHIFT | task);
      Arrays.sort(sorted);
    }
    int at = Arrays.binarySearch(sorted, (long) indices.first() << SHIFT);
    List<Integer> found = new ArrayList<>();
    for (int i = at < 0 ? -at - 1 : at; i < tasks && sorted[i] >> SHIFT <= indices.last(); i++) {
      found.add((int) sorted[i]);
    }
    return found;
  }

  /** Returns the lowest and the highest index, as {@code 1-6}. */
  String ends() {
    tasks(new TaskSelector.Range(0, 0));
    return new TaskSelector.Range((int) (sorted[0] >> SHIFT), (int) (sorted[tasks - 1] >> SHIFT))
        .toString();
  }
}
