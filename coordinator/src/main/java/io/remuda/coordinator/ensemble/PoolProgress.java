package io.remuda.coordinator.ensemble;

import io.remuda.agent.protocol.TaskReport.TaskProgress;
import io.remuda.coordinator.console.BarSource;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.render.LabelledBar;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The progress of each training and of the images. One thread; any may use its pictures. */
final class PoolProgress {

  /**
   * One training.
   *
   * @param epochsDone number of completed epochs
   * @param part completed part of the current epoch, 0 to 1
   * @param words description of its current state
   */
  private record Training(
      String name, int epochs, int epochsDone, double part, TaskState state, String words) {

    Training in(TaskState next) {
      return switch (next) {
        case RUNNING, UNKNOWN, STOPPING, ENDING ->
            new Training(name, epochs, epochsDone, part, next, words);
        case SUCCEEDED -> new Training(name, epochs, epochs, 0, next, words);
        default -> new Training(name, epochs, 0, 0, next, next.name().toLowerCase(Locale.ROOT));
      };
    }

    double done() {
      return epochsDone + part;
    }

    LabelledBar bar() {
      return new LabelledBar(
          LabelledBar.Kind.PROGRESS, name, done(), epochs, epochsDone + "/" + epochs, words);
    }
  }

  private final Map<Integer, Training> trainings = new TreeMap<>();
  private final int images;
  private int imagesDone;

  PoolProgress(EnsembleSettings settings) {
    images = settings.images();
    for (int index = 0; index < settings.mnistWorkers(); index++) {
      String name = ProgressLines.learningRate(settings.learningRate(index));
      trainings.put(
          index, new Training(name, settings.epochs(), 0, 0, TaskState.WAITING, "waiting"));
    }
  }

  void imagesDone(int done) {
    imagesDone = done;
  }

  void moved(int training, TaskState state) {
    trainings.computeIfPresent(training, (index, known) -> known.in(state));
  }

  /** Records a training's progress in an epoch. */
  void at(int training, TaskProgress progress) {
    trainings.computeIfPresent(
        training,
        (index, known) ->
            known.state() != TaskState.RUNNING
                    || progress.total() == 0
                    || !isOfEpoch(known.epochsDone() + 1, progress)
                ? known
                : new Training(
                    known.name(),
                    known.epochs(),
                    known.epochsDone(),
                    (double) progress.done() / progress.total(),
                    known.state(),
                    progress.phase()));
  }

  /** Returns whether a report is of this epoch, not a late one; phases are {@code epoch 1/14}. */
  private static boolean isOfEpoch(int epoch, TaskProgress progress) {
    return progress.phase().startsWith("epoch " + epoch + "/");
  }

  void epoch(int training, WorkerEvent.EpochDone epoch) {
    trainings.computeIfPresent(
        training,
        (index, known) ->
            new Training(
                known.name(),
                known.epochs(),
                epoch.epoch(),
                0,
                known.state(),
                String.format(
                    Locale.ROOT, "loss %.4f, %.2f %%", epoch.testLoss(), epoch.accuracy())));
  }

  /** Returns the current bars: one for each training, or one for all, and one for the images. */
  BarSource picture() {
    List<LabelledBar> all =
        new ArrayList<>(trainings.values().stream().map(Training::bar).toList());
    List<LabelledBar> folded =
        new ArrayList<>(trainings.isEmpty() ? List.of() : List.of(together()));
    LabelledBar imageBar =
        new LabelledBar(
            LabelledBar.Kind.PROGRESS,
            "images",
            (double) imagesDone,
            Math.max(1, images),
            imagesDone + "/" + images,
            "");
    all.add(imageBar);
    folded.add(imageBar);
    return lines -> {
      List<LabelledBar> fitting = all.size() <= lines ? all : folded;
      return fitting.subList(0, Math.min(lines, fitting.size()));
    };
  }

  private LabelledBar together() {
    Map<TaskState, Long> states =
        trainings.values().stream()
            .collect(Collectors.groupingBy(Training::state, TreeMap::new, Collectors.counting()));
    double done =
        trainings.values().stream()
            .mapToDouble(training -> training.done() / training.epochs())
            .sum();
    return new LabelledBar(
        LabelledBar.Kind.PROGRESS,
        "trainings",
        done,
        trainings.size(),
        states.getOrDefault(TaskState.SUCCEEDED, 0L) + "/" + trainings.size(),
        states.entrySet().stream()
            .filter(entry -> entry.getKey() != TaskState.SUCCEEDED)
            .map(entry -> entry.getValue() + " " + entry.getKey().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ")));
  }
}
