package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs of a time.
 *
 * @param jobs with progress and terms, the newest first
 * @param more whether there are further ones
 */
public record RecentJobs(List<JsonNode> jobs, boolean more) {

  private static final int PAGE = 1000;

  public RecentJobs {
    jobs = List.copyOf(jobs);
  }

  /**
   * Reads the jobs that have not ended, or ended since a time.
   *
   * @param from in seconds since 1970
   * @param most so many at most
   */
  public static RecentJobs of(ServerAnswers server, long from, int most) throws IOException {
    Map<Long, JsonNode> jobs = new LinkedHashMap<>();
    String since = "&endedSince=" + RestClient.encode(Instant.ofEpochSecond(from).toString());
    boolean more = read(server, "", jobs, most) | read(server, "&all" + since, jobs, most);
    List<JsonNode> newest =
        jobs.entrySet().stream()
            .sorted(Map.Entry.<Long, JsonNode>comparingByKey().reversed())
            .map(Map.Entry::getValue)
            .limit(most)
            .toList();
    return new RecentJobs(newest, more || jobs.size() > most);
  }

  private static boolean read(
      ServerAnswers server, String query, Map<Long, JsonNode> into, int most) throws IOException {
    String before = "";
    int read = 0;
    do {
      int limit = Math.min(PAGE, most - read);
      JsonNode page = server.get("/jobs?progress&terms&limit=" + limit + query + before);
      page.path("jobs").forEach(job -> into.put(job.path("id").asLong(), job));
      read += page.path("jobs").size();
      before = page.path("next").isNumber() ? "&before=" + page.path("next").asText() : "";
    } while (!before.isEmpty() && read < most);
    return !before.isEmpty();
  }
}
