package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The keys of the members of a cluster, which only each of them knows of itself.
 *
 * @param known by the name of a member
 * @param away why a member does not say, by its name
 */
record ReportedMemberKeys(Map<String, MemberKeyFingerprints> known, Map<String, String> away) {

  private static final long PATIENCE_MILLIS = 4000;

  /** The answer of a member; one of the two is null. */
  private record Said(MemberKeyFingerprints key, String fault) {}

  /**
   * Asks members at the same time, each for four seconds at the longest.
   *
   * @param members by their names
   */
  static ReportedMemberKeys ask(Map<String, ServerAccessFile> members) {
    Map<String, CompletableFuture<Said>> asked = new LinkedHashMap<>();
    members.forEach(
        (name, access) -> {
          CompletableFuture<Said> answer = new CompletableFuture<>();
          DaemonThread.start("ask-" + name, () -> answer.complete(ask(name, access)));
          asked.put(
              name,
              answer.completeOnTimeout(
                  new Said(null, access.rest() + " does not answer"),
                  PATIENCE_MILLIS,
                  TimeUnit.MILLISECONDS));
        });
    Map<String, MemberKeyFingerprints> known = new LinkedHashMap<>();
    Map<String, String> away = new LinkedHashMap<>();
    asked.forEach(
        (name, answer) -> {
          Said said = answer.join();
          if (said.key() == null) {
            away.put(name, said.fault());
          } else {
            known.put(name, said.key());
          }
        });
    return new ReportedMemberKeys(known, away);
  }

  private static Said ask(String name, ServerAccessFile access) {
    try (RestClient server = new RestClient(access)) {
      JsonNode answer = server.get("/cluster");
      if (!answer.path("member").asText().equals(name)) {
        return new Said(null, "what answers at " + access.rest() + " is another member");
      }
      return answer.path("key").isObject()
          ? new Said(view(answer.path("key")), null)
          : new Said(null, "its build is older, and takes up a new key only when it is started");
    } catch (IOException | RuntimeException fault) {
      return new Said(null, String.valueOf(fault.getMessage()));
    }
  }

  private static MemberKeyFingerprints view(JsonNode key) {
    List<String> trusted = new ArrayList<>();
    key.path("trusted").forEach(one -> trusted.add(one.asText()));
    return new MemberKeyFingerprints(key.path("shown").asText(), trusted);
  }
}
