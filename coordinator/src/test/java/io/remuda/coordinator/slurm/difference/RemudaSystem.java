package io.remuda.coordinator.slurm.difference;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server of ours. */
final class RemudaSystem implements BatchSystem {

  private final Cluster cluster;

  RemudaSystem(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "remuda";
  }

  @Override
  public Submission submit(Path folder, Path script, boolean piped) throws IOException {
    InputStream in = piped ? new ByteArrayInputStream(Files.readAllBytes(script)) : null;
    Result result =
        piped
            ? cluster.cliIn(folder, in, "submit")
            : cluster.cliIn(folder, null, "submit", script.toString());
    String out = result.out().strip();
    return new Submission(
        result.code() == 0 && out.matches("\\d+")
            ? Optional.of(Long.parseLong(out))
            : Optional.empty(),
        result.err().strip());
  }

  @Override
  public void requeue(long job) throws IOException {
    done(cluster.cli("requeue", "" + job));
  }

  @Override
  public void signal(long job, String signal) throws IOException {
    done(cluster.cli("signal", signal, "" + job));
  }

  private static void done(Result result) {
    if (result.code() != 0) {
      throw new AssertionError(result);
    }
  }

  @Override
  public boolean isOver() throws IOException {
    return cluster.client().get("/jobs").path("jobs").isEmpty();
  }

  @Override
  public Map<String, String> ends(long job, boolean array) throws IOException {
    Map<String, String> ends = new TreeMap<>();
    for (JsonNode task : cluster.client().get("/jobs/" + job + "/tasks?limit=1000").path("tasks")) {
      String index = array ? task.path("arrayIndex").asText(task.path("index").asText()) : "-";
      boolean started = !task.path("startedAt").isNull();
      ends.put(
          index,
          started
              ? task.path("exitCode").asInt() + ":" + task.path("signal").asInt()
              : "not started");
    }
    return ends;
  }
}
