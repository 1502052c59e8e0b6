package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.NoLeaderHereException;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.coordinator.live.LiveBatch;
import io.remuda.coordinator.live.LiveFeed;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Streams of what happens at the moment. The feed is where the coordinator is; another member asks
 * the leader step by step, once for all of its readers that have the same. While there is no leader
 * a stream says so, and goes on when there is one. Thread-safe.
 */
final class LiveStreaming {

  /** A header: the id of the last event. */
  static final String ID = "Remuda-Live-Id";

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** After so long without news a reader is told. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  /** A reader that takes nothing for so long is left. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What is handed on in one piece. */
  private static final int PART = 64 << 10;

  /**
   * Where a reader is.
   *
   * @param after id of what it has, or empty
   * @param awaited what comes next and was asked for already; null if it was not
   */
  private record Position(String after, CompletionStage<LiveBatch> awaited) {}

  private final RestBackend backend;
  private final LiveFeed feed;
  private final Map<String, CompletionStage<LiveBatch>> forwarded = new ConcurrentHashMap<>();

  LiveStreaming(RestBackend backend, LiveFeed feed) {
    this.backend = backend;
    this.feed = feed;
  }

  /** Returns all that happens after what a reader has. */
  Source<ByteString, NotUsed> after(String id, Caller caller) {
    return Source.unfoldAsync(new Position(id, null), position -> step(position, caller))
        .mapConcat(LiveStreaming::parts)
        .backpressureTimeout(PATIENCE);
  }

  /** Returns what comes after what a reader has, from here or from the leader. */
  CompletionStage<LiveBatch> next(String after, Caller caller) {
    if (!backend.leads()) {
      return forward(after, caller);
    }
    return feed.next(after)
        .exceptionallyCompose(
            fault ->
                cause(fault) instanceof NoLeaderHereException
                    ? forward(after, caller)
                    : CompletableFuture.failedStage(cause(fault)));
  }

  private static Throwable cause(Throwable fault) {
    return fault instanceof CompletionException ? fault.getCause() : fault;
  }

  private CompletionStage<LiveBatch> forward(String after, Caller caller) {
    CompletableFuture<LiveBatch> mine = new CompletableFuture<>();
    CompletionStage<LiveBatch> other = forwarded.putIfAbsent(after, mine);
    if (other != null) {
      return other;
    }
    try {
      backend
          .forward(
              caller,
              "GET",
              "/live/next?after=" + URLEncoder.encode(after, StandardCharsets.UTF_8),
              new byte[0],
              RequestForwarder.Attempt.FIRST)
          .whenCompleteAsync(
              (reply, fault) -> {
                forwarded.remove(after);
                if (fault != null) {
                  mine.completeExceptionally(cause(fault));
                } else {
                  told(reply, mine);
                }
              },
              backend.system().executionContext());
    } catch (RuntimeException unforeseen) { // else all later readers would wait for it
      forwarded.remove(after);
      mine.completeExceptionally(unforeseen);
    }
    return mine;
  }

  private static void told(Reply<ForwardedAnswer> reply, CompletableFuture<LiveBatch> into) {
    if (reply instanceof Reply.Yes<ForwardedAnswer> yes) {
      String id = yes.value().headers().get(ID);
      if (id != null) {
        into.complete(new LiveBatch(id, yes.value().body()));
      } else {
        into.completeExceptionally(
            new IllegalStateException("the leader answers " + yes.value().status()));
      }
    } else {
      into.completeExceptionally(
          new IllegalStateException(((Reply.No<ForwardedAnswer>) reply).rejection().message()));
    }
  }

  private CompletionStage<Optional<Pair<Position, byte[]>>> step(Position at, Caller caller) {
    CompletionStage<LiveBatch> next =
        at.awaited() == null ? next(at.after(), caller) : at.awaited();
    CompletableFuture<Optional<Pair<Position, byte[]>>> step = new CompletableFuture<>();
    Cancellable silence =
        later(
            SILENCE,
            () ->
                step.complete(
                    pair(new Position(at.after(), next), away("the server does not answer"))));
    next.whenCompleteAsync(
        (batch, fault) -> {
          silence.cancel();
          if (fault == null) {
            step.complete(pair(new Position(batch.id(), null), batch.events()));
          } else {
            byte[] told = away(String.valueOf(cause(fault).getMessage()));
            later(PAUSE, () -> step.complete(pair(new Position(at.after(), null), told)));
          }
        },
        backend.system().executionContext());
    return step;
  }

  private Cancellable later(Duration delay, Runnable what) {
    return backend
        .system()
        .scheduler()
        .scheduleOnce(delay, what, backend.system().executionContext());
  }

  private static Optional<Pair<Position, byte[]>> pair(Position then, byte[] events) {
    return Optional.of(Pair.create(then, events));
  }

  private static byte[] away(String why) {
    byte[] data = JsonResponses.bytes(Map.of("message", why));
    return ("event: away\ndata: " + new String(data, StandardCharsets.UTF_8) + "\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<ByteString> parts(byte[] events) {
    List<ByteString> parts = new ArrayList<>();
    for (int begin = 0; begin < events.length; begin += PART) {
      parts.add(ByteString.fromArrayUnsafe(events, begin, Math.min(PART, events.length - begin)));
    }
    return parts;
  }
}
