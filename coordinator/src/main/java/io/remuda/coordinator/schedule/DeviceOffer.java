package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import java.util.Objects;

/**
 * A device as the scheduler sees it.
 *
 * @param id its UUID; the same device may be seen by several nodes of one machine
 * @param model product name
 * @param totalMemory in bytes that tasks may use at most, 0 if not known
 * @param freeMemory in bytes that neither tasks nor others use or have been promised
 * @param standing whether and how it may be lent
 */
public record DeviceOffer(
    DeviceId id, String model, long totalMemory, long freeMemory, Standing standing) {

  /** Whether and how a device may be lent. */
  public enum Standing {
    /** Nobody has it. */
    FREE,
    /** Tasks share it by its memory. */
    SHARED,
    /** A task has all of it. */
    TAKEN,
    /** It is lost, does not answer, or somebody else holds it. */
    UNFIT
  }

  public DeviceOffer {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(standing, "standing");
  }

  /** The same device if nobody had anything of it. */
  DeviceOffer emptied() {
    return new DeviceOffer(id, model, totalMemory, totalMemory, Standing.FREE);
  }
}
