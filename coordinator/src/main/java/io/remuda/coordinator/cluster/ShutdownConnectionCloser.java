package io.remuda.coordinator.cluster;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.io.Tcp;

/**
 * Closes the connections that are left when an actor system ends. Pekko's remoting waits without a
 * limit for the end of each TLS stream, and one ends only when the other member closes its side,
 * which a member that is cut off, stopped or has removed this one does not. Without this the
 * process of a member that was removed never joined again, and one that was told to end did not.
 */
public final class ShutdownConnectionCloser {

  /** The remoting sends what is queued for a second at most. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private ShutdownConnectionCloser() {}

  /** Has them closed two seconds after all else of the system has ended or had its time. */
  public static void closeAtEndOf(ActorSystem system) {
    closeAtEndOf(system, PATIENCE);
  }

  static void closeAtEndOf(ActorSystem system, Duration patience) {
    ActorRef connections = Tcp.get(system).manager();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseActorSystemTerminate(),
            "close-connections",
            () -> {
              system
                  .scheduler()
                  .scheduleOnce(
                      patience,
                      () -> connections.tell(PoisonPill.getInstance(), ActorRef.noSender()),
                      system.dispatcher());
              return CompletableFuture.completedFuture(Done.getInstance());
            });
  }
}
