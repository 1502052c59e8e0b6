package io.remuda.coordinator.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Reads what jobs asked for, as {@code GET /jobs/N} has it. What a replay does not follow is left
 * out: dependencies, retries, epochs, what becomes of a gang when a member fails.
 */
final class PastJobReader {

  private static final int PERCENT = 100;
  private static final int UMASK = 022;

  private PastJobReader() {}

  /** Returns the specification of a job with all its tasks. */
  static JobSpec spec(JsonNode job) {
    CommandWorkload work = work(job.path("workload"));
    return new JobSpec(
        new JobId(job.path("id").asLong()),
        new UUID(0, job.path("id").asLong()),
        job.path("name").asText(),
        job.path("user").asText(),
        false,
        needs(job.path("needs")),
        1,
        terms(job.path("terms"), work),
        Collections.<Workload>nCopies(Math.max(1, job.path("tasks").asInt()), work));
  }

  private static CommandWorkload work(JsonNode work) {
    List<String> argv = new ArrayList<>();
    work.path("argv").forEach(word -> argv.add(word.asText()));
    boolean command = !argv.isEmpty() && !argv.get(0).isEmpty();
    String folder = work.path("folder").asText("/");
    return new CommandWorkload(
        command ? argv : List.of(work.path("workload").asText("unknown")),
        Map.of(),
        folder.startsWith("/") ? folder : "/",
        UMASK);
  }

  private static ResourceRequest needs(JsonNode needs) {
    int gpus = needs.path("gpus").asInt();
    return new ResourceRequest(
        needs.path("cpus").asDouble(),
        gpus,
        needs.path("memory").asLong(),
        gpus == 0 ? 0 : needs.path("gpuMemory").asLong(),
        gpus == 0 ? null : text(needs, "gpuModel"),
        texts(needs.path("labels")),
        gpus == 0 ? 0 : needs.path("perGpu").asInt(),
        needs.path("gpuPercent").asInt(),
        null,
        node(needs),
        gpus == 0 ? 0 : (int) Math.round(needs.path("shareIf").asDouble() * PERCENT));
  }

  private static NodeConstraints node(JsonNode needs) {
    TreeSet<String> only = new TreeSet<>();
    TreeSet<String> except = new TreeSet<>();
    TreeMap<String, Long> counted = new TreeMap<>();
    needs.path("nodes").forEach(name -> only.add(name.asText()));
    needs.path("excludeNodes").forEach(name -> except.add(name.asText()));
    needs
        .path("resources")
        .fields()
        .forEachRemaining(one -> counted.put(one.getKey(), one.getValue().asLong()));
    return new NodeConstraints(only, except, counted);
  }

  private static JobTerms terms(JsonNode terms, CommandWorkload work) {
    return new JobTerms(
        gang(terms),
        policy(terms.path("policy").asText()),
        terms.path("priority").asInt(),
        List.of(),
        terms.path("timeLimitMillis").asLong(),
        0,
        terms.path("type").isTextual() ? terms.path("type").asText() : JobType.nameOf(work.argv()),
        EndingTerms.USUAL,
        preemption(terms.path("preemption")),
        null,
        terms.path("maxRunning").asInt(),
        0,
        TaskArrayTerms.NONE.withFirst(terms.path("array").path("first").asBoolean() ? 1 : 0),
        0,
        null,
        false,
        false,
        null,
        qos(terms.path("qos").asText()));
  }

  private static Qos qos(String name) {
    for (Qos one : Qos.values()) {
      if (one.name().equalsIgnoreCase(name)) {
        return one;
      }
    }
    return null;
  }

  private static PlacementPolicy policy(String name) {
    return PlacementPolicy.names().contains(name)
        ? PlacementPolicy.parse(name)
        : PlacementPolicy.USUAL;
  }

  private static PreemptionTerms preemption(JsonNode terms) {
    return terms.isObject()
        ? new PreemptionTerms(
            null,
            PreemptionTerms.Then.REQUEUE,
            terms.path("afterMillis").asLong(),
            PreemptionTerms.MOST_TIMES)
        : null;
  }

  private static GangTerms gang(JsonNode terms) {
    JsonNode members = terms.path("members");
    if (!members.isObject()) {
      return null;
    }
    List<GangRoleSpec> roles = new ArrayList<>();
    for (JsonNode role : members.path("roles")) {
      roles.add(
          new GangRoleSpec(
              role.path("name").asText(),
              role.path("count").asInt(),
              role.path("completions").asInt(),
              role.path("parallelism").asInt(),
              needs(role.path("needs"))));
    }
    return new GangTerms(
        members.path("together").asBoolean(),
        GangTerms.Failure.IGNORE,
        members.path("mixed").asBoolean(),
        roles);
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new HashMap<>();
    object.fields().forEachRemaining(one -> texts.put(one.getKey(), one.getValue().asText()));
    return texts;
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).isTextual() ? node.path(field).asText() : null;
  }
}
