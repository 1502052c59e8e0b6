package io.remuda.agent.recovery;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.agent.protocol.TaskStartOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The desired state of this node as last received from the coordinator, and the revision that the
 * agent has followed.
 */
public final class ReceivedDesiredState {

  private Desired desired = new Desired(0, 0, false, List.of());

  /** Whether a desired state was received; until then no attempt is unwanted. */
  private boolean given;

  /** Whether it was received over the present connection. */
  private boolean current;

  /** Revision of the newest order that was followed; 0 until a keeper is there. */
  private long followed;

  public Desired desired() {
    return desired;
  }

  public boolean isGiven() {
    return given;
  }

  /**
   * Returns whether the coordinator has said over the present connection what it wants. Before that
   * an order may have been cancelled, so none may begin.
   */
  public boolean isCurrent() {
    return current;
  }

  /** Returns whether the coordinator wants samples. */
  public boolean sampling() {
    return desired.sampling();
  }

  public long followed() {
    return followed;
  }

  /**
   * Sets the epoch of the leader that has just welcomed this node. A higher epoch restarts the
   * revisions, and drops earlier orders that do not belong to the new leader's lineage.
   */
  public void lead(long epoch, StateFileLineage lineage) {
    current = false;
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

  /** Returns whether an order is older than the current one. */
  public boolean isStale(Desired order) {
    return order.epoch() < desired.epoch()
        || (order.epoch() == desired.epoch() && order.revision() < desired.revision());
  }

  /** Replaces the current order. */
  public void give(Desired order) {
    desired = order;
    given = true;
    current = true;
  }

  /** Marks the current order as followed. */
  public void follow() {
    followed = desired.revision();
  }

  /** Removes the tied tasks, which end with the coordinator. */
  public void dropTied() {
    desired =
        new Desired(
            desired.epoch(),
            desired.revision(),
            desired.sampling(),
            desired.tasks().stream().filter(order -> !order.tied()).toList(),
            desired.kept().stream().filter(kept -> !kept.tied()).toList());
  }

  /** Returns whether a task that outlives the coordinator runs or may have been ordered. */
  public boolean mayOutliveCoordinator() {
    return !given || attempts().stream().anyMatch(task -> !task.tied());
  }

  /** Returns every desired attempt, from complete orders and short ones. */
  public List<Kept> attempts() {
    List<Kept> all = new ArrayList<>(desired.kept());
    for (TaskStartOrder order : desired.tasks()) {
      all.add(Kept.of(order));
    }
    return all;
  }
}
