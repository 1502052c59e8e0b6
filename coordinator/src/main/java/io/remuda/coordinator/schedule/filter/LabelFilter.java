package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Map;
import java.util.Optional;

/** Requires all requested labels. */
final class LabelFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    for (Map.Entry<String, String> label : needs.labels().entrySet()) {
      if (!node.offer().hasLabel(label.getKey(), label.getValue())) {
        String has = node.offer().labels().get(label.getKey());
        return Optional.of(
            new WaitReason.LacksLabel(node.name(), label.getKey(), label.getValue(), has));
      }
    }
    return Optional.empty();
  }
}
