package io.remuda.agent.actor;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.StateLineage;
import io.remuda.agent.protocol.TaskOrder;
import java.util.ArrayList;
import java.util.List;

/** What should run on this node as the coordinator last said it, and whether it was followed. */
final class DesiredState {

  private Desired desired = new Desired(0, 0, false, List.of());

  /** Whether the coordinator has said what should run; until then nothing is unwanted. */
  private boolean given;

  /** Revision of the newest order that was acted on; without a keeper none is. */
  private long followed;

  Desired desired() {
    return desired;
  }

  boolean isGiven() {
    return given;
  }

  /** Whether samples are wanted. */
  boolean sampling() {
    return desired.sampling();
  }

  /** Revision of the newest order that was acted on. */
  long followed() {
    return followed;
  }

  /**
   * A coordinator of this epoch leads: one of a higher epoch counts its orders anew. What another
   * one has ordered and this one does not know is dropped.
   */
  void lead(long epoch, StateLineage lineage) {
    if (epoch > desired.epoch()) {
      desired =
          new Desired(
              epoch,
              0,
              false,
              desired.tasks().stream().filter(task -> lineage.includes(task.attempt())).toList(),
              desired.kept().stream().filter(task -> lineage.includes(task.attempt())).toList());
      followed = 0;
    }
  }

  /** Whether an order is older than the one that stands. */
  boolean isStale(Desired order) {
    return order.epoch() < desired.epoch()
        || (order.epoch() == desired.epoch() && order.revision() < desired.revision());
  }

  /** Puts an order in the place of the one that stood. */
  void give(Desired order) {
    desired = order;
    given = true;
  }

  /** It was acted on. */
  void follow() {
    followed = desired.revision();
  }

  /** Takes out what ends with the coordinator. */
  void dropTied() {
    desired =
        new Desired(
            desired.epoch(),
            desired.revision(),
            desired.sampling(),
            desired.tasks().stream().filter(order -> !order.tied()).toList(),
            desired.kept().stream().filter(kept -> !kept.tied()).toList());
  }

  /** Whether something runs, or may have been told to, that outlives the coordinator. */
  boolean mayOutliveCoordinator() {
    return !given || attempts().stream().anyMatch(task -> !task.tied());
  }

  /** Every attempt that should run, whether its order is spelt out or not. */
  List<Kept> attempts() {
    List<Kept> all = new ArrayList<>(desired.kept());
    for (TaskOrder order : desired.tasks()) {
      all.add(Kept.of(order));
    }
    return all;
  }
}
