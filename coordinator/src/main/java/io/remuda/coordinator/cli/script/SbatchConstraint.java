package io.remuda.coordinator.cli.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The value of sbatch's {@code --constraint}. A feature is a label here if it is written as one. Of
 * a job with GPUs it is mostly their model, and a server that knows no such model says so.
 *
 * @param value as it is written
 * @param labels features that are written as labels
 * @param features the others
 */
record SbatchConstraint(String value, List<String> labels, List<String> features) {

  SbatchConstraint {
    labels = List.copyOf(labels);
    features = List.copyOf(features);
  }

  static SbatchConstraint of(String value) {
    List<String> labels = new ArrayList<>();
    List<String> features = new ArrayList<>();
    for (String item : value.replaceFirst("^\\[(.*)]$", "$1").split("&")) {
      boolean label = item.matches("[^=|*\\[\\]()]+=[^|*\\[\\]()]+");
      (label ? labels : features).add(item);
    }
    return new SbatchConstraint(value, labels, features);
  }

  /** Returns what may be models of GPUs, with bars between them. */
  Optional<String> models() {
    boolean models = features.size() == 1 && features.get(0).matches("[\\w.+-]+(\\|[\\w.+-]+)*");
    return models ? Optional.of(features.get(0)) : Optional.empty();
  }

  /**
   * Returns what users must know of it, if anything.
   *
   * @param gpus whether the job has some
   */
  Optional<String> note(boolean gpus) {
    if (features.isEmpty()) {
      return Optional.empty();
    }
    if (models().isPresent() && gpus) {
      return Optional.of(
          "--constraint is read as --gpu-model "
              + features.get(0)
              + "; another feature of nodes is a label here: --constraint=KEY=VALUE");
    }
    return Optional.of(
        "--constraint="
            + value
            + " is ignored: a node's features are labels here (serve --label KEY=VALUE), for which"
            + " a script asks by --constraint=KEY=VALUE, and a GPU model counts beside --gpus");
  }
}
