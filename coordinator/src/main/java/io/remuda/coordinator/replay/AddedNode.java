package io.remuda.coordinator.replay;

import io.remuda.telemetry.simulated.GpuCatalogue;
import io.remuda.telemetry.simulated.GpuModel;

/**
 * A node that a cluster does not have.
 *
 * @param model of its GPUs
 * @param gpus number of them, 1 to {@value #MOST}
 */
public record AddedNode(GpuModel model, int gpus) {

  private static final int MOST = 64;

  public AddedNode {
    if (gpus < 1 || gpus > MOST) {
      throw new IllegalArgumentException("a node has 1 to " + MOST + " GPUs, got " + gpus);
    }
  }

  /**
   * Returns what {@code MODEL:COUNT} means, as {@code h100:8}.
   *
   * @throws IllegalArgumentException if it means nothing; the message names the known models
   */
  public static AddedNode parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0 || !text.substring(colon + 1).matches("\\d{1,9}")) {
      throw new IllegalArgumentException("a node is MODEL:COUNT, as h100:8, got '" + text + "'");
    }
    return new AddedNode(
        GpuCatalogue.model(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
  }

  @Override
  public String toString() {
    return model.key() + ":" + gpus;
  }
}
