package io.remuda.coordinator.rest.request;

import static io.remuda.coordinator.jobfield.NeedsRows.GPU_MODEL;
import static io.remuda.coordinator.jobfield.NeedsRows.LABELS;
import static io.remuda.coordinator.jobfield.SubmissionRows.EXCLUDE_NODES;
import static io.remuda.coordinator.jobfield.SubmissionRows.NODES;
import static io.remuda.coordinator.jobfield.SubmissionRows.RESOURCES;

import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.worker.job.NodeConstraints;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The fields of a {@link JobRequest} that say which nodes its tasks may run on. */
final class NodeFields {

  private final FieldValues request;

  NodeFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns what its tasks need of their node; nothing by default.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  NodeConstraints needs() {
    checkChoices();
    return new NodeConstraints(
        names("nodes", request.get(NODES)),
        names("excludeNodes", request.get(EXCLUDE_NODES)),
        resources());
  }

  private static SortedSet<String> names(String field, List<String> given) {
    SortedSet<String> names = new TreeSet<>(JobRequest.or(given, List.of()));
    if (names.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(field + " must be names of nodes, got an empty one");
    }
    return names;
  }

  private SortedMap<String, Long> resources() {
    try {
      return NodeConstraints.read(request.or(RESOURCES, List.of()));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("resources: " + wrong.getMessage(), wrong);
    }
  }

  /** Refuses an empty choice, which every model would match. */
  private void checkChoices() {
    Map<String, String> labels = request.or(LABELS, Map.of());
    labels.forEach((key, value) -> checkChoice("labels." + key, value));
    if (request.has(GPU_MODEL)) {
      checkChoice("gpuModel", request.get(GPU_MODEL));
    }
  }

  private static void checkChoice(String field, String text) {
    boolean several = text.indexOf('|') >= 0;
    if (several && Stream.of(text.split("\\|", -1)).anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          field + " must have a text before and behind each '|', got '" + text + "'");
    }
  }

  /**
   * Checks that a task which asks for slices of GPUs (MIG) wants one of them.
   *
   * @param gpuModel or null
   */
  static void checkSlices(int gpus, String gpuModel) {
    if (gpus > 1 && gpuModel != null) {
      Stream.of(gpuModel.split("\\|"))
          .filter(DeviceOffer::asksForSlices)
          .findFirst()
          .ifPresent(
              slice -> {
                throw new IllegalArgumentException(
                    "gpus must be 1 with gpuModel '"
                        + slice
                        + "', which asks for a MIG slice: a CUDA program sees one slice only, so"
                        + " use more tasks instead; got "
                        + gpus);
              });
    }
  }
}
