package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.QueueOfferResult;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A body on its way. */
class RequestBodyStageTest {
  private static final int SECONDS = 60;

  private static ActorSystem system;

  @BeforeAll
  static void start() {
    system = ActorSystem.create("body");
  }

  @AfterAll
  static void end() {
    system.terminate();
  }

  /** A cancelled connection is reset, and the answer that says why is lost with it. */
  @Test
  void a_body_that_is_given_up_leaves_the_connection_to_the_answer() throws Exception {
    BodyPace atOnce = new BodyPace(Duration.ofMillis(1), 1);
    RequestBodyStage stage = new RequestBodyStage(atOnce, Runnable::run, () -> true);
    Pair<SourceQueueWithComplete<ByteString>, CompletionStage<Done>> body =
        Source.<ByteString>queue(1, OverflowStrategy.dropNew())
            .via(stage)
            .toMat(Sink.ignore(), Keep.both())
            .run(system);
    ExecutionException fault =
        assertThrows(
            ExecutionException.class,
            () -> body.second().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS));
    assertInstanceOf(RequestBodyStage.TooSlowException.class, fault.getCause());
    QueueOfferResult next =
        body.first()
            .offer(ByteString.fromString("{"))
            .toCompletableFuture()
            .get(SECONDS, TimeUnit.SECONDS);
    assertEquals(QueueOfferResult.enqueued(), next, "the sender is not cut off");
    body.first().complete();
    body.first().watchCompletion().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
  }
}
