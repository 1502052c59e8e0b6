package io.remuda.coordinator.ensemble;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.coordinator.schedule.model.NodeNameOrder;
import io.remuda.json.PlainJson;
import io.remuda.telemetry.render.PythonFloat;
import io.remuda.telemetry.window.UtilizationSummary;
import io.remuda.worker.protocol.WorkerEvent.ItemFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of a run so far. One thread. */
final class RunResults {

  /** One training; {@code cause} is null if it succeeded, loss and accuracy if it failed. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Training(double learningRate, Double testLoss, Double accuracy, String cause) {}

  /** The convolution pool. */
  record Images(int total, int done, List<ItemFailure> failed) {}

  /** The report, in the format of {@code --json}. */
  record Report(
      String run,
      List<String> nodes,
      List<Training> mnist,
      Images scipy,
      List<UtilizationSummary> telemetry,
      double seconds) {}

  private final Map<Integer, Training> trainings = new TreeMap<>();
  private final List<ItemFailure> failedItems = new ArrayList<>();
  private List<UtilizationSummary> telemetry = List.of();

  void trained(int index, double learningRate, double testLoss, double accuracy) {
    trainings.put(index, new Training(learningRate, testLoss, accuracy, null));
  }

  void failed(int index, double learningRate, String cause) {
    trainings.put(index, new Training(learningRate, null, null, cause));
  }

  void observed(List<UtilizationSummary> summaries) {
    telemetry =
        summaries.stream()
            .sorted(Comparator.comparing(UtilizationSummary::node, NodeNameOrder.ORDER))
            .toList();
  }

  List<UtilizationSummary> telemetry() {
    return telemetry;
  }

  void failedItems(List<ItemFailure> failures) {
    failedItems.addAll(failures);
  }

  /** Returns the final lines, in the order of the learning rates. */
  List<String> finalLines() {
    return trainings.values().stream()
        .filter(training -> training.cause() == null)
        .map(
            training ->
                "Final test for learning rate "
                    + PythonFloat.repr(training.learningRate())
                    + ": loss: "
                    + PythonFloat.repr(training.testLoss())
                    + " accuracy: "
                    + PythonFloat.repr(training.accuracy()))
        .toList();
  }

  /** Returns one line for each failure. */
  List<String> failureLines(ItemPool pool) {
    List<String> lines = new ArrayList<>();
    trainings.values().stream()
        .filter(training -> training.cause() != null)
        .map(
            training ->
                "learning rate "
                    + PythonFloat.repr(training.learningRate())
                    + " failed: "
                    + training.cause())
        .forEach(lines::add);
    failedItems.forEach(item -> lines.add("image " + item.item() + " failed: " + item.cause()));
    if (pool.doneItems() < pool.total()) {
      lines.add((pool.total() - pool.doneItems()) + " images were not processed");
    }
    return lines;
  }

  /** Returns the report as one JSON object. */
  String json(String run, List<String> nodes, ItemPool pool, double seconds) {
    Report report =
        new Report(
            run,
            nodes,
            List.copyOf(trainings.values()),
            new Images(pool.total(), pool.doneItems(), List.copyOf(failedItems)),
            telemetry,
            seconds);
    try {
      return PlainJson.MAPPER.writeValueAsString(report);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("the report is plain values", impossible);
    }
  }
}
