package io.remuda.examples.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.client.EventReader;
import io.remuda.coordinator.client.EventReader.Event;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Uses the job service from Java: submits a command, follows its output, and ends with its exit
 * code. {@code remuda run} does this, too.
 *
 * <p>{@link RestClient} reads {@code access.json} in the server's folder, which has the server's
 * address, the user's token, and the only certificate that is trusted: before the server has shown
 * that certificate, the client sends nothing. A program without this jar needs only HTTPS, JSON and
 * that file; docs/job-service.md has the paths and fields.
 *
 * <p>The server must run: {@code remuda serve}. Arguments: the command and its arguments.
 */
public final class JobSubmission {

  private final RestClient server;

  JobSubmission(RestClient server) {
    this.server = server;
  }

  /**
   * Submits a job with one task and returns its number. It is durable when this method returns.
   *
   * @param key idempotency key: if the answer is lost, a second submission with an equal key
   *     returns the number of the first one
   */
  long submit(List<String> command, String key) throws IOException {
    Map<String, Object> job =
        Map.of(
            "argv",
            command,
            "env",
            System.getenv(),
            "workdir",
            System.getProperty("user.dir"),
            "cpus",
            1,
            "clientKey",
            key);
    return server.post("/jobs", job).path("ids").path(0).asLong();
  }

  /**
   * Copies the job's output while it runs, until the job ends.
   *
   * @return the job as it ended: {@code state}, {@code exitCode}, {@code reason} and more
   */
  JsonNode follow(long job, PrintStream out, PrintStream err) throws IOException {
    try (EventReader events = new EventReader(server.stream("/jobs/" + job + "/output"))) {
      for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
        JsonNode data = RestClient.JSON.readTree(event.get().data());
        switch (event.get().type()) {
          case "out" -> copy(data, out);
          case "err" -> copy(data, err);
          case "state" -> err.println("job " + job + " is " + data.path("state").asText());
          case "end" -> {
            return data;
          }
          default -> {} // "done" names tasks of which all output was sent
        }
      }
    }
    throw new IOException("the server has closed the connection before the end of job " + job);
  }

  private static void copy(JsonNode data, PrintStream to) throws IOException {
    to.write(Base64.getDecoder().decode(data.path("data").asText()));
    to.flush();
  }

  /** Submits the command of the arguments and ends with its exit code, or 1 if it has none. */
  public static void main(String[] arguments) throws IOException {
    JobSubmission example = new JobSubmission(RestClient.of(RemudaPaths.current().state()));
    long job = example.submit(List.of(arguments), UUID.randomUUID().toString());
    JsonNode end = example.follow(job, System.out, System.err);
    System.exit(end.path("exitCode").asInt(1));
  }
}
