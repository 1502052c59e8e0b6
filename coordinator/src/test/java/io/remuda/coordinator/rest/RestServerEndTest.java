package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.remuda.coordinator.rest.connection.OpenConnections;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RestServerEndTest {

  @Test
  void connections_are_closed_while_the_system_still_can() throws Exception {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "ending",
            ConfigFactory.parseString(
                    "pekko.actor.provider = local, pekko.coordinated-shutdown.exit-jvm = off,"
                        + " pekko.coordinated-shutdown.run-by-actor-system-terminate = on,"
                        + " pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off")
                .withFallback(ConfigFactory.defaultReference()));
    BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    OpenConnections connections = new OpenConnections(4, Duration.ofSeconds(60), System::nanoTime);
    connections.opened(
        new OpenConnections.Closing() {
          @Override
          public void close() {
            closed.add("closed after its answer");
          }

          @Override
          public void abort() {
            closed.add("closed");
          }
        });
    RestServer.closeAtEnd(system, connections);
    CompletableFuture<Done> mayEnd = new CompletableFuture<>();
    CoordinatedShutdown.get(system)
        .addTask(CoordinatedShutdown.PhaseActorSystemTerminate(), "test", () -> mayEnd);
    try {
      system.terminate();
      assertEquals("closed", closed.poll(30, TimeUnit.SECONDS));
    } finally {
      mayEnd.complete(Done.getInstance());
    }
    system.getWhenTerminated().toCompletableFuture().get();
  }
}
