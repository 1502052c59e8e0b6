package io.remuda.coordinator.schedule.gpus;

import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Divides GPUs among trainings: each gets one, and the others go one step after the other to the
 * training whose speed-up gains most by them, as Optimus does (Peng et al., EuroSys 2018), with the
 * speed-up in place of the remaining time, so that long trainings do not starve short ones. A
 * running training changes only if that pays within the rest of its run.
 */
public final class TrainingGpuAllocator {

  /** Speed-up of one more GPU below which a training does not get it. */
  private static final double LEAST_GAIN = 0.1;

  /** How many times its cost a change has to bring. */
  private static final double WORTH = 2;

  /** Part of its remaining time by which a training must become faster to get more GPUs. */
  private static final double LEAST_PART = 0.1;

  /** A training with fewer epochs left is not slowed down to learn its speed with fewer GPUs. */
  private static final int EPOCHS_TO_LEARN = 8;

  private static final Comparator<ElasticTraining> FIRST =
      Comparator.comparingInt(ElasticTraining::priority)
          .reversed()
          .thenComparing(training -> training.now() == 0)
          .thenComparing(ElasticTraining::job);

  private TrainingGpuAllocator() {}

  /**
   * Returns the number of GPUs that each training should have; 0 for one that has to wait.
   *
   * @param gpus number of GPUs that there are for them
   * @param largest number of GPUs of the largest node
   */
  public static Map<JobId, Integer> divide(List<ElasticTraining> trainings, int gpus, int largest) {
    Map<JobId, Integer> kept = new HashMap<>();
    Map<JobId, Integer> counts = new LinkedHashMap<>();
    boolean changed = true;
    while (changed) { // those that keep what they have leave less for the others
      counts = greedy(trainings, kept, gpus, largest);
      changed = false;
      for (ElasticTraining training : trainings) {
        int count = counts.get(training.job());
        boolean keeps = training.now() > 0 && count != training.now() && !pays(training, count);
        if (keeps && !kept.containsKey(training.job())) {
          kept.put(training.job(), training.now());
          changed = true;
        }
      }
    }
    return learned(trainings, counts);
  }

  private static Map<JobId, Integer> greedy(
      List<ElasticTraining> trainings, Map<JobId, Integer> kept, int gpus, int largest) {
    Map<JobId, Integer> counts = new LinkedHashMap<>();
    int left = gpus;
    for (ElasticTraining training : trainings.stream().sorted(FIRST).toList()) {
      boolean goesOn = left > 0 || training.now() > 0; // nobody loses its last GPU
      int first = kept.getOrDefault(training.job(), goesOn ? 1 : 0);
      counts.put(training.job(), first);
      left -= first;
    }
    List<ElasticTraining> open = new ArrayList<>(trainings);
    open.removeIf(training -> kept.containsKey(training.job()) || counts.get(training.job()) == 0);
    for (Optional<ElasticTraining> next = best(open, counts, left, largest);
        next.isPresent();
        next = best(open, counts, left, largest)) {
      int count = counts.get(next.get().job());
      int more = next.get().above(count);
      counts.put(next.get().job(), more);
      left -= more - count;
    }
    return counts;
  }

  /** Returns the training that gains most by its next step; empty if none gains enough. */
  private static Optional<ElasticTraining> best(
      List<ElasticTraining> open, Map<JobId, Integer> counts, int left, int largest) {
    return open.stream()
        .filter(
            training -> {
              int count = counts.get(training.job());
              int more = training.above(count);
              return more > count
                  && more <= largest
                  && more - count <= left
                  && more <= training.farthest();
            })
        .filter(training -> gain(training, counts.get(training.job())) >= LEAST_GAIN)
        .max(Comparator.comparingDouble(training -> gain(training, counts.get(training.job()))));
  }

  /** Returns the speed-up, relative to one GPU, of each GPU of the next step. */
  private static double gain(ElasticTraining training, int count) {
    SpeedCurve curve = training.curve();
    int more = training.above(count);
    return (curve.speed(more) - curve.speed(count)) / curve.speed(1) / (more - count);
  }

  /** Returns whether a running training should change to this number of GPUs. */
  private static boolean pays(ElasticTraining training, int count) {
    if (!training.settled() || count == 0) {
      return false;
    }
    double now = training.secondsLeft(training.now());
    double then = training.secondsLeft(count);
    double cost = WORTH * training.restartSeconds();
    return count < training.now() && then >= now
        ? now > 2 * cost // for others, which gain more by them
        : now - then > cost && now - then > LEAST_PART * now;
  }

  /**
   * Has trainings that nobody else needs GPUs of learn their speed with fewer of them, if that was
   * never measured and the run is long: with many GPUs, fewer may even be faster.
   */
  private static Map<JobId, Integer> learned(
      List<ElasticTraining> trainings, Map<JobId, Integer> counts) {
    for (ElasticTraining training : trainings) {
      int now = training.now();
      int fewer = training.below(Math.max(1, now));
      boolean keeps = now > 1 && counts.get(training.job()) == now && training.settled();
      if (keeps && isWorthLearning(training, fewer)) {
        counts.put(training.job(), fewer);
      }
    }
    return counts;
  }

  private static boolean isWorthLearning(ElasticTraining training, int fewer) {
    double epoch = training.secondsLeft(training.now()) / training.epochsLeft();
    return training.curve().isMeasured(training.now()) // else one beside it spoils each measurement
        && !training.curve().isMeasured(fewer)
        && training.epochsLeft() >= EPOCHS_TO_LEARN
        && epoch * training.epochsLeft() > 4 * WORTH * training.restartSeconds();
  }
}
