package io.remuda.agent.actor;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskOrder;
import java.util.ArrayList;
import java.util.List;

/** What is in an order to the whole node, pure. */
final class Desires {

  private Desires() {}

  /** Every attempt that should run, whether its order is spelt out or not. */
  static List<Kept> all(Desired desired) {
    List<Kept> all = new ArrayList<>(desired.kept());
    for (TaskOrder order : desired.tasks()) {
      all.add(Kept.of(order));
    }
    return all;
  }

  /** The same without what ends with the coordinator. */
  static Desired withoutTied(Desired desired) {
    return new Desired(
        desired.epoch(),
        desired.revision(),
        desired.sampling(),
        desired.tasks().stream().filter(order -> !order.tied()).toList(),
        desired.kept().stream().filter(kept -> !kept.tied()).toList());
  }
}
