package io.remuda.coordinator.rest.view;

import io.remuda.coordinator.occupancy.GpuRecords;
import io.remuda.coordinator.occupancy.GpuSpan;
import io.remuda.coordinator.rest.answer.TimelineAnswer;
import io.remuda.coordinator.rest.query.TimelineQuery;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Reads what ran where: from the records, and of the time before them from the store. One of these
 * for each question; blocks.
 */
public final class TimelineReader {

  /** Spans of an answer, about 150 bytes each; the longest ones. */
  private static final int MOST_SPANS = 50_000;

  /** Jobs whose types are looked at. */
  private static final int MOST_TYPES = 1000;

  private static final int PORTION = 500;
  private static final long MILLIS = 1000;
  private static final int MEBIBYTE = 20;
  private static final String UNKNOWN = "unknown";

  private record Held(String gpu, String attempt) {}

  private record Owner(String user, String type) {}

  private final StoreReader store;
  private final GpuRecords records;
  private final TimelineQuery query;
  private final long since;
  private final long now;
  private final Map<Held, GpuSpan> held = new HashMap<>();
  private final List<GpuSpan> gaps = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private boolean more;

  public TimelineReader(StoreReader store, GpuRecords records, TimelineQuery query) {
    this.store = store;
    this.records = records;
    this.query = query;
    this.since = records.since();
    this.now = records.lastSeen();
  }

  public TimelineAnswer read() throws IOException {
    List<GpuSpan> recorded = recorded();
    for (GpuSpan span : recorded) {
      if (!span.number().isEmpty()) {
        names.put(span.gpu(), span.node() + ":" + span.number());
      }
      if (span.isUnused()) {
        gaps.add(span);
      } else {
        add(span);
      }
    }
    if (query.from() < since) {
      stored();
    }
    List<GpuSpan> attempts = new ArrayList<>(held.values());
    List<GpuSpan> empty = withUnknown(attempts);
    attempts.sort(Comparator.comparing(GpuSpan::gpu).thenComparing(GpuSpan::from));
    Map<Long, Owner> owners = owners(attempts);
    Map<Long, Integer> wanted = wanted(empty);
    return new TimelineAnswer(
        query.from(),
        query.to(),
        since,
        attempts.stream().map(span -> span(span, owners)).toList(),
        empty.stream().map(span -> gap(span, wanted)).toList(),
        more);
  }

  /** Returns the longest spans of the records. */
  private List<GpuSpan> recorded() throws IOException {
    PriorityQueue<GpuSpan> longest =
        new PriorityQueue<>(Comparator.comparingLong(span -> span.to() - span.from()));
    records.read(
        query.from(),
        query.to(),
        span -> {
          if (query.wants(span.node())) {
            longest.add(span);
            if (longest.size() > MOST_SPANS) {
              longest.poll();
              more = true;
            }
          }
        });
    return new ArrayList<>(longest);
  }

  /** Adds a span of an attempt, which had its GPU between two of them, too. */
  private void add(GpuSpan span) {
    held.merge(
        new Held(span.gpu(), span.attempt()),
        span,
        (one, two) -> one.during(Math.min(one.from(), two.from()), Math.max(one.to(), two.to())));
  }

  /** Adds the newest attempts of tasks, from before the records. */
  private void stored() throws IOException {
    List<TaskRow> rows =
        store.query(
            "SELECT tasks.* FROM jobs JOIN tasks ON tasks.job = jobs.id"
                + " WHERE (jobs.ended = 0 OR jobs.ended >= ?) AND tasks.started > 0"
                + " AND tasks.started < ? AND (tasks.ended = 0 OR tasks.ended >= ?)"
                + " ORDER BY tasks.job, tasks.idx LIMIT ?",
            RowMapping.TASKS::read,
            query.from() * MILLIS,
            since * MILLIS,
            query.from() * MILLIS,
            MOST_SPANS);
    more |= rows.size() == MOST_SPANS;
    for (TaskRow row : rows) {
      if (row.node() != null && query.wants(row.node())) {
        stored(row);
      }
    }
  }

  private void stored(TaskRow row) {
    long end = row.ended() > 0 ? row.ended() / MILLIS : since;
    String attempt = new AttemptId(row.id(), row.attempt(), row.tag()).numbers();
    for (DeviceId device : row.devices()) {
      if (held.size() < MOST_SPANS) {
        add(
            new GpuSpan(
                device.uuid(),
                row.node(),
                "",
                attempt,
                Math.max(0, row.gpuMemory()) >> MEBIBYTE,
                "",
                0,
                row.started() / MILLIS,
                end));
      }
    }
  }

  /** Returns the gaps by GPU, with those of which nothing is known. */
  private List<GpuSpan> withUnknown(List<GpuSpan> attempts) {
    Map<String, List<GpuSpan>> byGpu = new TreeMap<>();
    gaps.forEach(gap -> byGpu.computeIfAbsent(gap.gpu(), none -> new ArrayList<>()).add(gap));
    attempts.forEach(one -> byGpu.computeIfAbsent(one.gpu(), none -> new ArrayList<>()).add(one));
    List<GpuSpan> all = new ArrayList<>();
    byGpu.values().forEach(spans -> fill(spans, all));
    return all;
  }

  private void fill(List<GpuSpan> spans, List<GpuSpan> into) {
    spans.sort(Comparator.comparingLong(GpuSpan::from));
    long known = Math.max(query.from(), since);
    for (GpuSpan span : spans) {
      if (span.from() > known + 1) {
        into.add(unknown(span, known, span.from()));
      }
      if (span.isUnused()) {
        into.add(span);
      }
      known = Math.max(known, span.to());
    }
    long end = Math.min(query.to(), now);
    if (end > known + 1) {
      into.add(unknown(spans.get(0), known, end));
    }
  }

  private static GpuSpan unknown(GpuSpan of, long from, long to) {
    return new GpuSpan(of.gpu(), of.node(), of.number(), "", 0, UNKNOWN, 0, from, to);
  }

  /** Returns whose the jobs are, of those that are kept. */
  private Map<Long, Owner> owners(List<GpuSpan> attempts) throws IOException {
    List<Long> jobs = attempts.stream().map(TimelineReader::job).distinct().toList();
    Map<Long, Owner> owners = new HashMap<>();
    for (int from = 0; from < jobs.size(); from += PORTION) {
      String ids =
          String.join(
              ", ",
              jobs.subList(from, Math.min(jobs.size(), from + PORTION)).stream()
                  .map(id -> Long.toString(id))
                  .toList());
      for (Map.Entry<Long, String> one :
          store.query(
              "SELECT id, \"user\" FROM jobs WHERE id IN (" + ids + ")",
              row -> Map.entry(row.getLong(1), row.getString(2)))) {
        String type =
            owners.size() < MOST_TYPES
                ? store.spec(new JobId(one.getKey())).map(UsageAccumulator::typeOf).orElse(null)
                : null;
        owners.put(one.getKey(), new Owner(one.getValue(), type));
      }
    }
    return owners;
  }

  /** Returns how many GPUs a task wants of the jobs of gaps, of those that are kept. */
  private Map<Long, Integer> wanted(List<GpuSpan> empty) throws IOException {
    List<Long> jobs =
        empty.stream().map(GpuSpan::keptFor).filter(job -> job > 0).distinct().toList();
    Map<Long, Integer> wanted = new HashMap<>();
    for (Long job : jobs.subList(0, Math.min(MOST_TYPES, jobs.size()))) {
      wanted.put(job, store.spec(new JobId(job)).map(spec -> spec.request().gpus()).orElse(0));
    }
    return wanted;
  }

  private static long job(GpuSpan span) {
    return AttemptId.parse(span.attempt()).task().job().value();
  }

  private String name(GpuSpan span) {
    return names.getOrDefault(span.gpu(), span.node() + ":" + span.gpu());
  }

  private Long end(GpuSpan span) {
    return span.to() > now ? null : Long.valueOf(span.to());
  }

  private TimelineAnswer.Span span(GpuSpan span, Map<Long, Owner> owners) {
    AttemptId attempt = AttemptId.parse(span.attempt());
    long job = attempt.task().job().value();
    Owner owner = owners.getOrDefault(job, new Owner(null, null));
    return new TimelineAnswer.Span(
        name(span),
        span.gpu(),
        span.from(),
        end(span),
        job,
        attempt.task().index(),
        attempt.attempt(),
        owner.user(),
        owner.type(),
        span.lentMib() == 0 ? null : Long.valueOf(span.lentMib() << MEBIBYTE));
  }

  private TimelineAnswer.Gap gap(GpuSpan span, Map<Long, Integer> wanted) {
    Long job = span.keptFor() == 0 ? null : Long.valueOf(span.keptFor());
    return new TimelineAnswer.Gap(
        name(span),
        span.gpu(),
        span.from(),
        end(span),
        span.gap(),
        job,
        GapText.of(span.gap(), job, wanted.getOrDefault(span.keptFor(), 0)));
  }
}
