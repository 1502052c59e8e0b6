package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.curve.TaskCurve;
import io.remuda.coordinator.curve.TaskCurveStore;
import io.remuda.coordinator.curve.TaskCurves;
import io.remuda.coordinator.history.HistoryArchive;
import io.remuda.coordinator.history.HistoryCurve;
import io.remuda.coordinator.history.HistoryStore;
import io.remuda.coordinator.history.HistoryTier;
import io.remuda.coordinator.history.SeriesKey;
import io.remuda.coordinator.occupancy.GpuRecords;
import io.remuda.coordinator.rest.answer.HistoryAnswer;
import io.remuda.coordinator.rest.answer.WaitingAnswer;
import io.remuda.coordinator.rest.query.HistoryQuery;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.query.TimelineQuery;
import io.remuda.coordinator.rest.select.MissingJob;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.rest.view.TimelineReader;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.waits.WaitRecords;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes of readings over time, of why jobs have waited, and of what ran where. */
final class HistoryRoutes {

  /** Values in an answer, about 20 bytes each. */
  private static final long MOST_VALUES = 2_000_000;

  private static final int STATISTICS = 4;

  /** Series that are read before their points are taken together: 28 MB at most. */
  private static final int SERIES_AT_ONCE = 8;

  /** So many points of a curve are read, and taken together, rather than coarser ones. */
  private static final int READ_POINTS = 1500;

  private static final Rejection NOT_KEPT =
      new Rejection(
          Rejection.Code.NOT_FOUND,
          "this server keeps no history",
          "set remuda.coordinator.history.size, and look at the server's log");

  private final RestBackend backend;
  private final HistoryArchive archive;
  private final Clock clock;

  /**
   * @param clock decides what is past
   */
  HistoryRoutes(RestBackend backend, HistoryArchive archive, Clock clock) {
    this.backend = backend;
    this.archive = archive;
    this.clock = clock;
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.HISTORY, request -> look(request.query().toMap()))
        .on(ApiRoute.TIMELINE, request -> timeline(request.query().toMap()))
        .on(ApiRoute.WAITING, request -> waits(request.job()));
  }

  private CompletionStage<HttpResponse> waits(JobId job) {
    Optional<WaitRecords> records = archive.waits();
    return backend.query(
        reader -> {
          if (records.isEmpty()) {
            return JsonResponses.no(NOT_KEPT);
          }
          WaitRecords.JobSpans spans = records.get().of(job.value());
          return spans.spans().isEmpty() && reader.job(job).isEmpty()
              ? JsonResponses.no(MissingJob.of(job, reader))
              : JsonResponses.ok(WaitingAnswer.of(spans));
        });
  }

  private CompletionStage<HttpResponse> timeline(Map<String, String> asked) {
    TimelineQuery query = TimelineQuery.of(asked, clock.instant().getEpochSecond());
    Optional<GpuRecords> records = archive.gpus();
    return backend.query(
        reader ->
            records.isPresent()
                ? JsonResponses.ok(new TimelineReader(reader, records.get(), query).read())
                : JsonResponses.no(NOT_KEPT));
  }

  private CompletionStage<HttpResponse> look(Map<String, String> asked) {
    long now = clock.instant().getEpochSecond();
    HistoryQuery query = HistoryQuery.of(asked, now);
    Optional<HistoryStore> store = archive.store();
    return backend.query(
        reader ->
            store.isPresent()
                ? look(store.get(), archive.curves(), query, now)
                : JsonResponses.no(NOT_KEPT));
  }

  private static HttpResponse look(
      HistoryStore store, Optional<TaskCurveStore> curves, HistoryQuery asked, long now)
      throws IOException {
    List<TaskCurves> tasks = new ArrayList<>();
    if (curves.isPresent()) {
      for (long job : asked.jobs()) {
        tasks.addAll(curves.get().read(job, asked::wants, new WantedCurves(asked)));
      }
    }
    TaskHistoryReader reader = new TaskHistoryReader(store, tasks);
    HistoryQuery query = asked.from() == HistoryQuery.START ? reader.whole(asked, now) : asked;
    HistoryTier tier =
        store.tier(query.from(), query.to(), now, Math.max(query.points(), READ_POINTS));
    long from = Math.max(query.from(), HistoryStore.oldest(tier, now));
    long to = Math.max(from + 1, Math.min(query.to(), now + 1));
    List<SeriesKey> keys =
        store.keys(query.kind(), tier, from, to).stream()
            .filter(key -> query.wants(key.name()))
            .sorted(Comparator.comparing(SeriesKey::name))
            .toList();
    long points = Math.min(query.points(), (to - from) / tier.step() + 1);
    int series = Math.max(keys.size(), tasks.size());
    long values = points * keys.size() * query.metrics().size() * (tier.isPlain() ? 1 : STATISTICS);
    values += tasks.stream().mapToLong(task -> reader.values(task, query)).sum();
    if (values > MOST_VALUES) {
      throw new IllegalArgumentException(
          series
              + " series would be "
              + values
              + " values, and "
              + MOST_VALUES
              + " are the most: ask for some by name, for one metric, or for fewer points");
    }
    if (reader.isKeptAlone(query, keys)) {
      return JsonResponses.ok(reader.answer(query));
    }
    List<HistoryCurve> found = new ArrayList<>();
    for (int begin = 0; begin < keys.size(); begin += SERIES_AT_ONCE) { // thinned before the next
      found.addAll(
          store.read(
              keys.subList(begin, Math.min(keys.size(), begin + SERIES_AT_ONCE)),
              query.metrics(),
              tier,
              from,
              to,
              query.points()));
    }
    if (!found.isEmpty()) {
      reader.addKept(query, keys, found);
    }
    return JsonResponses.ok(
        HistoryAnswer.of(found, from, tier.isPlain(), store.since(tier), reader.reported(query)));
  }

  /** Leaves of each attempt of an answer what is asked for, within a bound of all together. */
  private static final class WantedCurves implements UnaryOperator<TaskCurves> {

    /** Points of all attempts of an answer, before they are taken together; 40 bytes each. */
    private static final long MOST_POINTS = 2_000_000;

    private final HistoryQuery query;
    private long points;

    WantedCurves(HistoryQuery query) {
      this.query = query;
    }

    /**
     * @throws IllegalArgumentException if there is too much
     */
    @Override
    public TaskCurves apply(TaskCurves all) {
      Map<String, TaskCurve> reported = new TreeMap<>();
      all.reported()
          .forEach(
              (name, curve) -> {
                if (query.wantsReported(name)) {
                  reported.put(name, curve);
                  points += curve.size();
                }
              });
      List<TaskCurves.Reading> readings =
          all.readings().stream()
              .filter(
                  reading ->
                      query.metrics().stream()
                          .anyMatch(metric -> metric.label().equals(reading.metric())))
              .toList();
      points += readings.stream().mapToLong(reading -> reading.mean().length).sum();
      if (points > MOST_POINTS) {
        throw new IllegalArgumentException(
            "these tasks have more than "
                + MOST_POINTS
                + " points: ask for some by name, or for one metric");
      }
      return new TaskCurves(all.attempt(), reported, readings, all.notes());
    }
  }
}
