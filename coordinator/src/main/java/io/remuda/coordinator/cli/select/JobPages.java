package io.remuda.coordinator.cli.select;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;

/**
 * A list of jobs, read page by page.
 *
 * @param oldestFirst the jobs
 * @param more whether there are older ones
 */
public record JobPages(ArrayNode oldestFirst, boolean more) {

  private static final int PAGE = 1000;

  /**
   * Reads the newest jobs.
   *
   * @param query which jobs, as {@code &all&state=failed}
   * @param most so many at most
   */
  static JobPages read(RestClient server, String query, int most) throws IOException {
    ArrayNode newestFirst = RestClient.JSON.createArrayNode();
    String before = "";
    do {
      int limit = Math.min(PAGE, most - newestFirst.size());
      JsonNode page = server.get("/jobs?limit=" + limit + query + before);
      if (!query.isEmpty()) {
        JobFinder.requireFilters(page);
      }
      page.path("jobs").forEach(newestFirst::add);
      before = page.path("next").isNumber() ? "&before=" + page.path("next").asText() : "";
    } while (!before.isEmpty() && newestFirst.size() < most);
    ArrayNode oldestFirst = RestClient.JSON.createArrayNode();
    for (int i = newestFirst.size() - 1; i >= 0; i--) {
      oldestFirst.add(newestFirst.get(i));
    }
    return new JobPages(oldestFirst, !before.isEmpty());
  }
}
