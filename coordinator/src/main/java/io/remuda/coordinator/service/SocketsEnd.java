package io.remuda.coordinator.service;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Closes the sockets of an actor system that has stopped its actors and does not end. With Pekko
 * 1.7 over TLS the end of remoting waits for other members to close their connections, and they may
 * just have opened new ones.
 */
final class SocketsEnd {

  private static final long WAIT_MILLIS = 1500;

  private SocketsEnd() {}

  /** Has the sockets closed a moment after the actors of the system were stopped. */
  static void followStop(ActorSystem<?> system) {
    Executor later = CompletableFuture.delayedExecutor(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "sockets-end",
            () -> {
              later.execute(() -> close(system));
              return CompletableFuture.completedFuture(Done.getInstance());
            });
  }

  private static void close(ActorSystem<?> system) {
    if (!system.getWhenTerminated().toCompletableFuture().isDone()) {
      system
          .classicSystem()
          .actorSelection("/system/IO-TCP")
          .tell(PoisonPill.getInstance(), org.apache.pekko.actor.ActorRef.noSender());
    }
  }
}
