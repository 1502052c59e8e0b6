package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class WireFramingTest {

  private static final ActorTestKit KIT = ActorTestKit.create();

  @AfterAll
  static void end() {
    KIT.shutdownTestKit();
  }

  private static Pair<BoundedSourceQueue<Integer>, CompletionStage<Done>> queue() {
    return Source.<Integer>queue(4).toMat(Sink.<Integer>ignore(), Keep.both()).run(KIT.system());
  }

  @Test
  void a_connection_that_has_ended_can_be_ended_again() {
    BoundedSourceQueue<Integer> queue = queue().first();
    WireFraming.complete(queue);

    assertThrows(IllegalStateException.class, queue::complete);
    assertDoesNotThrow(() -> WireFraming.complete(queue));
    assertDoesNotThrow(() -> WireFraming.fail(queue, "late"));
  }

  @Test
  void a_connection_that_is_failed_ends_with_the_cause() {
    var running = queue();
    WireFraming.fail(running.first(), "given up");

    var fault =
        assertThrows(
            CompletionException.class, () -> running.second().toCompletableFuture().join());
    assertTrue(fault.getCause().getMessage().contains("given up"), fault.toString());
  }
}
