package io.remuda.coordinator.actor;

import io.remuda.coordinator.store.JobRows;
import io.remuda.coordinator.store.Store;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.SingletonActor;

/** Starts the coordinator over a store, as the singleton of a cluster with one member. */
public final class CoordinatorSingleton {

  private CoordinatorSingleton() {}

  /**
   * Starts a coordinator that stops for good when it fails.
   *
   * @param clock wall clock for recorded times
   * @param nanoClock monotonic clock in nanoseconds
   * @param store its state and journal
   */
  public static ActorRef<CoordinatorCommand> start(
      ActorSystem<?> system,
      Coordinator.Settings settings,
      Clock clock,
      LongSupplier nanoClock,
      Coordinator.Subscribers subscribers,
      Store.Opened store) {
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    Behavior<CoordinatorCommand> behavior =
        Coordinator.create(
            settings,
            nanoClock,
            subscribers,
            new Coordinator.Durable(
                new JournalLog(store.journal()),
                store.state(),
                new JobRows(store.state(), clock),
                clock.millis()));
    return ClusterSingleton.get(system)
        .init(
            SingletonActor.of(
                Behaviors.supervise(behavior).onFailure(SupervisorStrategy.stop()), "coordinator"));
  }
}
