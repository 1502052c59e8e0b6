package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import java.util.List;

/**
 * A process of no task that uses a GPU.
 *
 * @param user name of its account, or null if it is not known, as the next
 * @param command name of its program
 * @param bytes of the GPU's memory, or null if the driver does not say
 */
public record StrangerAnswer(long pid, String user, String command, Long bytes) {

  static List<StrangerAnswer> of(DeviceOffer device) {
    return device.strangers().processes().isEmpty() // of most GPUs
        ? List.of()
        : device.strangers().processes().stream()
            .map(one -> new StrangerAnswer(one.pid(), one.user(), one.command(), one.memBytes()))
            .toList();
  }
}
