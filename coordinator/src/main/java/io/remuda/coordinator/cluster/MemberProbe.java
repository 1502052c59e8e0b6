package io.remuda.coordinator.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Asks other members by HTTPS whether they are in a cluster, and the database for its version.
 * Thread-safe; does not block.
 */
final class MemberProbe implements PeerDatabaseProbe {

  private static final long PATIENCE_MILLIS = 2000;

  private final LocalMemberConfig member;

  /** By member; each keeps its connection. */
  private final Map<String, RestClient> clients = new HashMap<>();

  private final Executor threads =
      Executors.newCachedThreadPool(work -> DaemonThread.of("member-probe", work));

  MemberProbe(LocalMemberConfig member) {
    this.member = member;
    for (ClusterFile.Member other : member.others()) {
      clients.put(other.name(), RestClient.to(() -> member.accessTo(other)));
    }
  }

  /** Asks all others; the answer comes after two seconds at the latest. */
  CompletionStage<Map<String, FormationRule.Answer>> ask() {
    Map<String, CompletableFuture<FormationRule.Answer>> asked = new LinkedHashMap<>();
    for (ClusterFile.Member other : member.others()) {
      asked.put(
          other.name(),
          CompletableFuture.supplyAsync(() -> ask(other), threads)
              .completeOnTimeout(
                  new FormationRule.Away(other.rest() + " does not answer"),
                  PATIENCE_MILLIS,
                  TimeUnit.MILLISECONDS));
    }
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              Map<String, FormationRule.Answer> answers = new LinkedHashMap<>();
              asked.forEach((name, answer) -> answers.put(name, answer.join()));
              return answers;
            });
  }

  @Override
  public CompletionStage<Boolean> oneReachesState() {
    List<CompletableFuture<Boolean>> asked =
        member.others().stream()
            .map(
                other ->
                    CompletableFuture.supplyAsync(() -> reachesState(other), threads)
                        .completeOnTimeout(false, PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(done -> asked.stream().anyMatch(CompletableFuture::join));
  }

  private boolean reachesState(ClusterFile.Member other) {
    try {
      JsonNode answer = clients.get(other.name()).get("/cluster");
      for (JsonNode one : answer.path("members")) {
        if (one.path("name").asText().equals(other.name())) {
          return one.path("state").asText().equals(ClusterMemberStatus.UP)
              && answer.path("reachesState").asBoolean();
        }
      }
      return false;
    } catch (IOException away) {
      return false;
    }
  }

  /**
   * Asks the database why this build cannot read the state; while it is away, it can.
   *
   * @param before what was known before, the answer if there is none in time
   */
  CompletionStage<Optional<String>> outdated(NewLeaderStateSource source, Optional<String> before) {
    return CompletableFuture.supplyAsync(source::outdated, threads)
        .completeOnTimeout(before, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private FormationRule.Answer ask(ClusterFile.Member other) {
    try {
      JsonNode answer = clients.get(other.name()).get("/cluster");
      for (JsonNode one : answer.path("members")) {
        if (one.path("name").asText().equals(other.name())) {
          return FormationRule.heard(answer.path("protocol").asInt(1), one.path("state").asText());
        }
      }
      return new FormationRule.Away(other.rest() + " has another cluster's file");
    } catch (RestFailureException refused) {
      return refused.isOfAnotherServer()
          ? FormationRule.AnotherKey.INSTANCE
          : new FormationRule.Away(String.valueOf(refused.getMessage()));
    } catch (IOException fault) {
      return new FormationRule.Away(String.valueOf(fault.getMessage()));
    }
  }
}
