package io.remuda.coordinator.cluster;

import io.remuda.coordinator.api.CoordinatorCommand;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Who leads, as this process knows it: the coordinator if it is here, else what the leader has said
 * last. Thread-safe.
 */
public final class KnownLeader {

  private volatile ActorRef<CoordinatorCommand> coordinator;
  private volatile RequestsToLocalLeader pending = new RequestsToLocalLeader();
  private volatile LeaderNotice notice;
  private volatile String obstacle;

  /** Returns the state of a process whose coordinator never leaves. */
  public static KnownLeader of(ActorRef<CoordinatorCommand> coordinator) {
    KnownLeader state = new KnownLeader();
    state.leads(coordinator);
    return state;
  }

  /** Returns the coordinator, if this process leads. */
  public Optional<ActorRef<CoordinatorCommand>> coordinator() {
    return Optional.ofNullable(coordinator);
  }

  /** Returns the answers that are awaited of the coordinator in this process. */
  public RequestsToLocalLeader pending() {
    return pending;
  }

  /** Returns what the leader has said last; empty if no leader is known at present. */
  public Optional<LeaderNotice> notice() {
    return Optional.ofNullable(notice);
  }

  /** Returns why this process is to lead and does not yet. */
  public Optional<String> obstacle() {
    return Optional.ofNullable(obstacle);
  }

  /** This process is to lead, and cannot yet. */
  public void cannotLead(String why) {
    obstacle = why;
  }

  /** This process leads from now on. */
  public void leads(ActorRef<CoordinatorCommand> here) {
    obstacle = null;
    pending = new RequestsToLocalLeader();
    coordinator = here;
  }

  /** This process does not lead any more. */
  public void leadsNoMore() {
    coordinator = null;
    notice = null;
    obstacle = null;
    pending.end();
  }

  /** The leader has answered; null if it has not. */
  public void heard(LeaderNotice said) {
    notice = said;
  }
}
