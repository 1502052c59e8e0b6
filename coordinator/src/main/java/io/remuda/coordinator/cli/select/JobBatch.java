package io.remuda.coordinator.cli.select;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A change of many jobs and tasks by few requests, each of which is one change of the server. */
public final class JobBatch {

  /** So many are changed one by one, and each has its own line. */
  public static final int MOST_ONE_BY_ONE = 10;

  /** Number of jobs and tasks in one request. */
  static final int PORTION = 5000;

  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;

  private static final Comparator<ChosenJob> BY_NUMBER =
      Comparator.comparingLong(ChosenJob::id)
          .thenComparingInt(one -> one.task() == null ? -1 : one.task());

  private final List<ChosenJob> chosen;
  private int jobs;
  private int tasks;
  private int over;
  private int refused;
  private final List<String> reasons = new ArrayList<>();

  private JobBatch(List<ChosenJob> chosen) {
    this.chosen = chosen;
  }

  /**
   * Changes them, the newest jobs by the first request: the end of a job may cancel those that wait
   * for it, and what one request cancels the next one would find ended.
   *
   * @param action as the server calls it, such as {@code cancel-now}
   * @param reason why, or null
   * @return what was done; empty if the server is an older one that takes one at a time
   */
  public static Optional<JobBatch> change(
      RestClient server, List<ChosenJob> chosen, String action, String reason) throws IOException {
    JobBatch batch = new JobBatch(List.copyOf(chosen));
    List<ChosenJob> ordered = chosen.stream().sorted(BY_NUMBER).toList();
    for (int end = ordered.size(); end > 0; end -= PORTION) {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("action", action);
      body.put("jobs", numbers(ordered.subList(Math.max(0, end - PORTION), end)));
      if (reason != null) {
        body.put("reason", reason);
      }
      try {
        batch.add(server.post("/jobs/change", body));
      } catch (RestFailureException no) {
        if (end == ordered.size() && (no.status() == NOT_FOUND || no.status() == NOT_ALLOWED)) {
          return Optional.empty();
        }
        throw no;
      }
    }
    return Optional.of(batch);
  }

  private void add(JsonNode answer) {
    jobs += answer.path("jobs").asInt();
    tasks += answer.path("tasks").asInt();
    over += answer.path("over").asInt();
    refused += answer.path("refused").asInt();
    answer.path("reasons").forEach(reason -> reasons.add(reason.asText()));
  }

  /** Returns their numbers as the server reads them, such as {@code 5,7-12,20.0-2999}. */
  static String numbers(List<ChosenJob> chosen) {
    List<String> runs = new ArrayList<>();
    int from = 0;
    for (int next = 1; next <= chosen.size(); next++) {
      if (next == chosen.size() || !follows(chosen.get(next - 1), chosen.get(next))) {
        runs.add(run(chosen.get(from), chosen.get(next - 1)));
        from = next;
      }
    }
    return String.join(",", runs);
  }

  private static boolean follows(ChosenJob one, ChosenJob next) {
    if (one.task() == null || next.task() == null) {
      return one.task() == null && next.task() == null && next.id() == one.id() + 1;
    }
    return next.id() == one.id() && next.task() == one.task() + 1;
  }

  private static String run(ChosenJob first, ChosenJob last) {
    String start = first.task() == null ? "" + first.id() : first.id() + "." + first.task();
    if (first.id() == last.id() && Objects.equals(first.task(), last.task())) {
      return start;
    }
    return start + "-" + (last.task() == null ? "" + last.id() : "" + last.task());
  }

  /**
   * Prints what was done on one line, and what was not.
   *
   * @param done state of a job after the change, such as {@code is cancelled}
   * @param out null to print only what was not done
   * @return whether all of them were changed
   */
  public boolean tell(String done, PrintWriter out, PrintWriter err) {
    if (out != null && jobs + tasks > 0) {
      out.println(changed() + " " + (jobs + tasks == 1 ? done : done.replaceFirst("^is ", "are ")));
      out.flush();
    }
    if (over > 0) {
      err.println("remuda: " + number(over) + " had ended before");
    }
    reasons.stream()
        .limit(MOST_ONE_BY_ONE)
        .forEach(reason -> err.println("remuda: " + PrintableText.of(reason)));
    int untold = refused - Math.min(reasons.size(), MOST_ONE_BY_ONE);
    if (untold > 0) {
      err.println("remuda: " + number(untold) + " more are refused");
    }
    err.flush();
    return over + refused == 0;
  }

  private String changed() {
    List<String> parts = new ArrayList<>();
    if (jobs > 0) {
      parts.add(number(jobs) + (jobs == 1 ? " job" : " jobs"));
    }
    if (tasks > 0) {
      Set<Long> of =
          chosen.stream()
              .filter(one -> one.task() != null)
              .map(ChosenJob::id)
              .collect(Collectors.toSet());
      String which = of.size() == 1 ? "job " + of.iterator().next() : number(of.size()) + " jobs";
      parts.add(
          number(tasks)
              + (tasks == 1 ? " task" : " tasks")
              + (of.isEmpty() ? "" : " of " + which)); // else they were named by their numbers
    }
    return String.join(" and ", parts);
  }

  private static String number(int value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
