package io.remuda.worker.workload.mnist;

import io.remuda.worker.workload.mnist.data.MnistImages;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Writes a snapshot after each epoch of a training and continues from the newest one. Used by the
 * training thread.
 */
final class EpochSnapshots {

  private final SnapshotFolder folder;
  private final StopRequest stop;
  private final int epochs;
  private final Map<String, String> settings;
  private final Map<String, String> circumstances;
  private final TrainingState state;
  private final TrainingListener listener;

  EpochSnapshots(
      SnapshotFolder folder,
      StopRequest stop,
      MnistSettings settings,
      MnistImages images,
      Map<String, String> circumstances,
      TrainingState state,
      TrainingListener listener) {
    this.folder = folder;
    this.stop = stop;
    this.epochs = settings.epochs();
    this.settings = new TreeMap<>(settings.ofSnapshot());
    this.settings.put("network", state.network());
    this.settings.put("optimiser", Adadelta.description());
    this.settings.put("training images", describe(images.train()));
    this.settings.put("test images", describe(images.test()));
    this.circumstances = circumstances;
    this.state = state;
    this.listener = listener;
  }

  private static String describe(MnistImages.ImageSet part) {
    CRC32C sum = new CRC32C();
    sum.update(part.pixels());
    sum.update(part.labels());
    return String.format(Locale.ROOT, "%d of CRC32C %08x", part.count(), sum.getValue());
  }

  /**
   * Continues from the newest whole snapshot, if there is one.
   *
   * @return the results of the epochs done; empty if the training starts from the beginning
   * @throws SnapshotRefusedException if the snapshot belongs to another training
   * @throws IOException if a snapshot cannot be read
   */
  List<EpochReport> resume() throws IOException, SnapshotRefusedException {
    Optional<SnapshotFolder.Found> found = folder.newest(listener::snapshotTrouble);
    if (found.isEmpty()) {
      return List.of();
    }
    TrainingSnapshot snapshot = found.get().snapshot();
    check(found.get());
    try {
      state.restore(snapshot.states(), snapshot.rate());
    } catch (SnapshotDamagedException damage) {
      throw refusal(found.get(), damage.getMessage());
    }
    warnOfOtherCircumstances(snapshot);
    listener.resumed(snapshot.reports());
    return snapshot.reports();
  }

  private void check(SnapshotFolder.Found found) throws SnapshotRefusedException {
    TrainingSnapshot snapshot = found.snapshot();
    String differences = TrainingSnapshot.differences(snapshot.settings(), settings);
    if (!differences.isEmpty()) {
      throw refusal(found, "it belongs to another training: " + differences);
    }
    if (snapshot.epochsDone() > epochs) {
      throw refusal(
          found, "it has " + snapshot.epochsDone() + " epochs, this training only " + epochs);
    }
  }

  private static SnapshotRefusedException refusal(SnapshotFolder.Found found, String why) {
    return new SnapshotRefusedException("snapshot " + found.file() + " is refused: " + why);
  }

  private void warnOfOtherCircumstances(TrainingSnapshot snapshot) {
    String differences = TrainingSnapshot.differences(snapshot.circumstances(), circumstances);
    if (!differences.isEmpty()) {
      listener.snapshotTrouble(
          "the numbers can differ from those of an undisturbed training: " + differences);
    }
  }

  /**
   * Writes the snapshot of an epoch and returns whether the training should stop now. It should not
   * after the last epoch, nor if the snapshot could not be written: the epochs done would be lost.
   *
   * @param reports the results of all epochs done
   */
  boolean saveAndAskForStop(List<EpochReport> reports) {
    try {
      folder.write(
          new TrainingSnapshot(settings, circumstances, state.rate(), reports, state.copy()));
    } catch (IOException fault) {
      listener.snapshotTrouble("no snapshot after epoch " + reports.size() + ": " + fault);
      return false;
    }
    return reports.size() < epochs && stop.isAsked();
  }
}
