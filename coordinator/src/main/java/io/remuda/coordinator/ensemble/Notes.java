package io.remuda.coordinator.ensemble;

import io.remuda.telemetry.render.PythonFloat;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.Locale;

/** Lines of progress for people. */
final class Notes {

  private Notes() {}

  static String learningRate(double rate) {
    return "learning rate " + PythonFloat.repr(rate);
  }

  static String epoch(double rate, WorkerEvent.EpochDone epoch) {
    return String.format(
        Locale.ROOT,
        "%s: epoch %d/%d loss %.4f accuracy %.2f %% (%.1f s)",
        learningRate(rate),
        epoch.epoch(),
        epoch.epochs(),
        epoch.testLoss(),
        epoch.accuracy(),
        epoch.seconds());
  }
}
