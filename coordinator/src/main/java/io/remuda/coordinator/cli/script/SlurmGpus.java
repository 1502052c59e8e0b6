package io.remuda.coordinator.cli.script;

import java.util.ArrayList;
import java.util.List;

/**
 * The GPUs that one option of sbatch asks for: items {@code [TYPE:]COUNT} between commas, in {@code
 * --gres} after {@code gpu:}; without a count it is one.
 *
 * @param count of all of them
 * @param model their type; null if none is named
 * @param others items that ask for something else
 */
record SlurmGpus(long count, String model, List<String> others) {

  private static final String GPU = "gpu";

  SlurmGpus {
    others = List.copyOf(others);
  }

  /**
   * Reads the value of an option.
   *
   * @param name of the option
   * @throws IllegalArgumentException if it asks for GPUs of two types, or a part of it is empty;
   *     the message is for users
   */
  static SlurmGpus of(String name, String value) {
    boolean isGres = name.equals("gres");
    long count = 0;
    String model = null;
    List<String> others = new ArrayList<>();
    for (String item : value.split(",")) {
      List<String> words = List.of(item.split(":", -1));
      List<String> parts = isGres ? words.subList(1, words.size()) : words;
      if (isGres && !words.get(0).equals(GPU) || parts.size() > 2) {
        others.add(item);
        continue;
      }
      if (parts.stream().anyMatch(String::isBlank)) {
        throw new IllegalArgumentException("'" + item + "' lacks a type or a number of GPUs");
      }
      String last = parts.isEmpty() ? "1" : parts.get(parts.size() - 1);
      boolean isCounted = last.matches("\\d{1,9}");
      String type = isCounted ? (parts.size() > 1 ? parts.get(0) : null) : last;
      if (model != null && type != null && !type.equals(model)) {
        throw new IllegalArgumentException(
            "a job has GPUs of one type here, got " + model + " and " + type);
      }
      model = type == null ? model : type;
      count += isCounted ? Long.parseLong(last) : 1;
    }
    return new SlurmGpus(count, model, others);
  }
}
