package io.remuda.coordinator.cluster;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests to the coordinator in this process whose answers are awaited. They fail as soon as it
 * does not lead any more, so that the next leader can be asked. Thread-safe.
 */
public final class RequestsToLocalLeader {

  private final Set<CompletableFuture<?>> awaited = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  /**
   * Returns an answer, which is {@link NoLeaderHereException} if it has not come when the leader
   * leaves. It is completed on the thread that completes {@code answer}: the plain whenComplete of
   * the stage of an ask would start a thread.
   */
  public <T> CompletionStage<T> await(CompletionStage<T> answer) {
    CompletableFuture<T> result = new CompletableFuture<>();
    awaited.add(result);
    answer.whenCompleteAsync(
        (value, fault) -> {
          awaited.remove(result);
          if (fault == null) {
            result.complete(value);
          } else {
            result.completeExceptionally(fault);
          }
        },
        Runnable::run);
    if (over) {
      result.completeExceptionally(new NoLeaderHereException());
    }
    return result;
  }

  /** The coordinator answers no more. */
  void end() {
    over = true;
    awaited.forEach(one -> one.completeExceptionally(new NoLeaderHereException()));
  }
}
