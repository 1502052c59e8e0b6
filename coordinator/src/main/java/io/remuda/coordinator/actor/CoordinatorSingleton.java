package io.remuda.coordinator.actor;

import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.commit.CoordinatorPersistence;
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

/** Starts the coordinator as the singleton of a cluster with one member. */
public final class CoordinatorSingleton {

  private CoordinatorSingleton() {}

  /**
   * Starts a coordinator that stops for good when it fails.
   *
   * @param nanoClock monotonic clock in nanoseconds
   */
  public static ActorRef<CoordinatorCommand> start(
      ActorSystem<?> system,
      Coordinator.Settings settings,
      LongSupplier nanoClock,
      Coordinator.Subscribers subscribers,
      CoordinatorPersistence durable) {
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    Behavior<CoordinatorCommand> behavior =
        Coordinator.create(settings, nanoClock, subscribers, durable);
    return ClusterSingleton.get(system)
        .init(
            SingletonActor.of(
                Behaviors.supervise(behavior).onFailure(SupervisorStrategy.stop()), "coordinator"));
  }
}
