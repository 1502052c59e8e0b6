package io.remuda.coordinator.schedule.mix;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.GpuShare;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the shapes of the tasks that come: of each class of tasks those of jobs with a higher
 * number than any that was counted before. Old tasks count less: after {@value #MEMORY} tasks all
 * counts are halved. The mix changes only when the number of tasks has grown by an eighth, so that
 * what is computed for a mix can be kept. Once a task wants GPUs, one more with a whole GPU is
 * taken as seen: a server that knows little does not spread parts of GPUs over all of them.
 * Single-threaded.
 */
public final class TaskMixLearner {

  /** Number of tasks after which older ones count half. */
  private static final int MEMORY = 50_000;

  /** Shapes of a mix; rarer ones are left out. */
  private static final int MOST_SHAPES = 512;

  /** Classes that are remembered, if no more wait at once. */
  private static final int MOST_CLASSES = 10_000;

  private static final int GROWTH = 8;

  private static final TaskShape BEFOREHAND =
      new TaskShape(1000, 0, 1, GpuShare.WHOLE, null, Map.of());

  private final Map<TaskShape, Double> counts = new LinkedHashMap<>();

  /** By class the last job that was counted; the class that was seen longest ago is the first. */
  private final Map<TaskClass.SchedulingKey, JobId> counted = new LinkedHashMap<>(16, 0.75f, true);

  private double seen;
  private double seenAtMix;
  private TaskMix mix = TaskMix.EMPTY;

  /** Returns the mix of what was seen. */
  public TaskMix mix() {
    return mix;
  }

  /** Counts the waiting tasks that were not counted before. */
  public void saw(Collection<TaskClass> lines) {
    for (TaskClass line : lines) {
      JobId before = counted.get(line.key());
      TaskSet tasks = line.tasks();
      TaskId next = before == null ? tasks.first() : tasks.firstAfter(before);
      while (next != null) {
        counts.merge(
            TaskShape.of(line.key().needs(next)), (double) tasks.count(next.job()), Double::sum);
        seen += tasks.count(next.job());
        counted.put(line.key(), next.job());
        next = tasks.firstAfter(next.job());
      }
    }
    forgetBut(Math.max(MOST_CLASSES, lines.size()));
    if (seen - seenAtMix > seenAtMix / GROWTH) {
      publish();
    }
  }

  /**
   * Forgets classes that were seen longest ago. Those that were seen just now stay, however many
   * they are: otherwise they would be counted again.
   */
  private void forgetBut(int most) {
    Iterator<TaskClass.SchedulingKey> oldest = counted.keySet().iterator();
    for (int over = counted.size() - most; over > 0; over--) {
      oldest.next();
      oldest.remove();
    }
  }

  private void publish() {
    if (seen > MEMORY) {
      counts.replaceAll((shape, count) -> count / 2);
      counts.values().removeIf(count -> count < 1);
      seen = counts.values().stream().mapToDouble(Double::doubleValue).sum();
    }
    seenAtMix = seen;
    double least =
        counts.values().stream()
            .sorted(Comparator.reverseOrder())
            .skip(MOST_SHAPES - 1)
            .findFirst()
            .orElse(0.0);
    List<TaskMix.Part> parts = new ArrayList<>();
    if (counts.keySet().stream().anyMatch(shape -> shape.gpus() > 0)) {
      parts.add(new TaskMix.Part(BEFOREHAND, 1 / seen));
    }
    counts.entrySet().stream()
        .filter(one -> one.getValue() >= least)
        .limit(MOST_SHAPES)
        .map(one -> new TaskMix.Part(one.getKey(), one.getValue() / seen))
        .forEach(parts::add);
    mix = new TaskMix(parts);
  }
}
