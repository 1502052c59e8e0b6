package io.remuda.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;

/**
 * What of a node may be lent as a whole GPU.
 *
 * @param strangerMemory bytes of it that processes of no task may use, {@link #ANY} for no limit
 * @param slicesToo whether a slice of a GPU (MIG) is lent as if it were a GPU
 */
public record WholeGpuRules(long strangerMemory, boolean slicesToo) {

  /** No limit: a GPU is lent whole, whoever uses it. */
  public static final long ANY = Long.MAX_VALUE;

  private static final String STRANGERS = "stranger-memory";
  private static final String SLICES = "mig-slices";

  /**
   * Reads {@code stranger-memory} and {@code mig-slices} under {@code remuda.agent}.
   *
   * @throws IllegalArgumentException naming the value if one is invalid
   */
  public static WholeGpuRules from(Config agent) {
    String slices = agent.getString(SLICES);
    if (!slices.equals("asked") && !slices.equals("as-gpus")) {
      throw new IllegalArgumentException(
          SLICES + " must be asked or as-gpus, got '" + slices + "'");
    }
    return new WholeGpuRules(strangerMemory(agent), slices.equals("as-gpus"));
  }

  private static long strangerMemory(Config agent) {
    String text = agent.getString(STRANGERS);
    if (text.equals("any")) {
      return ANY;
    }
    try {
      long bytes = agent.getBytes(STRANGERS);
      if (bytes >= 0) {
        return bytes;
      }
    } catch (ConfigException.BadValue | ConfigException.WrongType bad) {
      // the sentence below says what is wrong
    }
    throw new IllegalArgumentException(
        STRANGERS + " must be a size from 0, such as 256MiB, or any, got '" + text + "'");
  }
}
