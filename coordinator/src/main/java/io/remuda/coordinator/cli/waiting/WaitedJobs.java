package io.remuda.coordinator.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.FinalStates;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.ShortList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Jobs, or tasks, that are waited for, in the order in which they were named. */
public final class WaitedJobs {

  /** Jobs of one request. */
  private static final int PORTION = 100;

  private static final int MOST_NAMED = 5;
  private static final int NONE = 404;

  /** A way to read from the server, again while it is away. */
  public interface Reader {
    JsonNode get(String path) throws IOException, InterruptedException;
  }

  private final Map<ChosenJob, JsonNode> newest = new LinkedHashMap<>();
  private final List<ChosenJob> waiting = new ArrayList<>();
  private final Map<ChosenJob, String> words = new HashMap<>();
  private final boolean progress;
  private final boolean listed;

  /**
   * @param progress whether to read how far the tasks of each job are
   * @param listed whether one job alone is to have the fields of a list, too
   */
  public WaitedJobs(List<ChosenJob> jobs, boolean progress, boolean listed) {
    this.progress = progress;
    this.listed = listed;
    add(jobs);
  }

  /** Adds those that are not waited for yet; returns whether there were any. */
  public final boolean add(List<ChosenJob> jobs) {
    int before = words.size();
    for (ChosenJob job : jobs) {
      ChosenJob named = new ChosenJob(job.id(), job.task(), null);
      if (words.putIfAbsent(named, job.words()) == null) {
        waiting.add(named);
      }
    }
    return words.size() > before;
  }

  /** Returns whether all have ended. */
  public boolean areOver() {
    return waiting.isEmpty();
  }

  /** Returns those that have not ended, in words. */
  public String unfinished() {
    return ShortList.of(waiting.stream().map(words::get).toList(), MOST_NAMED);
  }

  /** Looks at those that have not ended; returns those that have now, as the server shows them. */
  public Map<ChosenJob, JsonNode> look(Reader server) throws IOException, InterruptedException {
    Map<ChosenJob, JsonNode> over = new LinkedHashMap<>();
    List<Long> ids =
        waiting.stream().filter(one -> one.task() == null).map(ChosenJob::id).distinct().toList();
    Map<Long, JsonNode> jobs = read(ids, progress, server);
    for (ChosenJob one : List.copyOf(waiting)) {
      JsonNode now = one.task() == null ? jobs.get(one.id()) : task(one, server);
      if (now != null) {
        newest.put(one, now);
      }
      if (now != null && FinalStates.include(now.path("state").asText())) {
        over.put(one, now);
        waiting.remove(one);
      }
    }
    return over;
  }

  /**
   * Returns ended ones with how long they ran, which costs the server more than how they ended and
   * so is not asked for at each look; as they are, if the server does not answer that.
   */
  public Map<ChosenJob, JsonNode> timed(Map<ChosenJob, JsonNode> over, Reader server)
      throws InterruptedException {
    List<Long> ids =
        over.keySet().stream()
            .filter(one -> one.task() == null && !progress)
            .map(ChosenJob::id)
            .toList();
    Map<ChosenJob, JsonNode> timed = new LinkedHashMap<>(over);
    try {
      Map<Long, JsonNode> jobs = read(ids, true, server);
      timed.replaceAll((one, end) -> one.task() == null ? jobs.getOrDefault(one.id(), end) : end);
    } catch (IOException away) {
      return over;
    }
    return timed;
  }

  private Map<Long, JsonNode> read(List<Long> ids, boolean far, Reader server)
      throws IOException, InterruptedException {
    Map<Long, JsonNode> jobs = new LinkedHashMap<>();
    if (ids.size() == 1 && !listed) {
      long id = ids.get(0);
      try {
        jobs.put(id, one(id, far, server));
        return jobs;
      } catch (RestFailureException no) {
        if (no.status() != NONE) {
          throw no;
        }
      } // the number may be a task's, which the list says
    }
    for (int from = 0; from < ids.size(); from += PORTION) {
      List<Long> some = ids.subList(from, Math.min(ids.size(), from + PORTION));
      String list = some.stream().map(String::valueOf).collect(Collectors.joining(","));
      JsonNode page =
          server.get(
              "/jobs?all&limit="
                  + PORTION
                  + (far ? "&progress" : "")
                  + "&select="
                  + RestClient.encode(list));
      if (page.path("filtered").asBoolean()) {
        page.path("jobs").forEach(job -> put(job, jobs));
      } else {
        jobs.put(some.get(0), one(some.get(0), far, server)); // an earlier build knows no selectors
      }
    }
    return jobs;
  }

  /** Puts a job; of a number that is a task's, the task takes the place. */
  private void put(JsonNode job, Map<Long, JsonNode> jobs) {
    if (!job.path("task").isNumber()) {
      jobs.put(job.path("id").asLong(), job);
      return;
    }
    ChosenJob task = new ChosenJob(job.path("id").asLong(), job.path("task").asInt(), job);
    ChosenJob number = new ChosenJob(NumberedTask.numberOf(task), null, null);
    ChosenJob named = new ChosenJob(task.id(), task.task(), null);
    boolean isNew = words.putIfAbsent(named, task.words()) == null;
    words.remove(number);
    if (isNew) {
      waiting.set(waiting.indexOf(number), named);
    } else {
      waiting.remove(number);
    }
  }

  /** Reads a job without its tasks, which cost the server most. */
  private static JsonNode one(long id, boolean far, Reader server)
      throws IOException, InterruptedException {
    return server.get("/jobs/" + id + "?limit=0" + (far ? "&progress" : ""));
  }

  private static JsonNode task(ChosenJob one, Reader server)
      throws IOException, InterruptedException {
    JsonNode tasks =
        server.get("/jobs/" + one.id() + "/tasks?limit=1&first=" + one.task()).path("tasks");
    boolean there = !tasks.isEmpty() && tasks.get(0).path("index").asInt() == one.task();
    return there ? ((ObjectNode) tasks.get(0)).set("reason", tasks.get(0).path("cause")) : null;
  }

  /** Returns all as they were seen last, a task with the number of its job. */
  public ArrayNode all() {
    ArrayNode all = RestClient.JSON.createArrayNode();
    newest.forEach(
        (one, seen) ->
            all.add(one.task() == null ? seen : ((ObjectNode) seen).put("job", one.id())));
    return all;
  }

  /** Returns how many tasks have ended, failed, run, and are there in all. */
  public TaskSums sums() {
    TaskSums sums = TaskSums.NONE;
    for (JsonNode job : newest.values()) {
      sums = sums.plus(job);
    }
    return sums;
  }
}
