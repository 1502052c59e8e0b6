package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class RequestsToLocalLeaderTest {

  private final RequestsToLocalLeader pending = new RequestsToLocalLeader();

  private static void assertLeft(CompletableFuture<?> answer) {
    assertInstanceOf(
        NoLeaderHereException.class,
        assertThrows(ExecutionException.class, answer::get).getCause());
  }

  @Test
  void an_answer_that_has_not_come_fails_when_the_leader_leaves() throws Exception {
    CompletableFuture<String> come = new CompletableFuture<>();
    CompletableFuture<String> late = new CompletableFuture<>();
    CompletableFuture<String> early = pending.await(come).toCompletableFuture();
    CompletableFuture<String> open = pending.await(late).toCompletableFuture();
    come.complete("yes");
    pending.end();
    late.complete("too late");
    assertEquals("yes", early.get());
    assertLeft(open);
  }

  @Test
  void what_is_asked_as_the_leader_leaves_fails_too() {
    pending.end();
    assertLeft(pending.await(new CompletableFuture<>()).toCompletableFuture());
  }

  @Test
  void a_fault_is_passed_on() {
    CompletableFuture<String> asked = new CompletableFuture<>();
    CompletableFuture<String> answer = pending.await(asked).toCompletableFuture();
    asked.completeExceptionally(new IllegalStateException("none"));
    assertInstanceOf(
        IllegalStateException.class,
        assertThrows(ExecutionException.class, answer::get).getCause());
  }
}
