package io.remuda.coordinator.cli.select;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.lifecycle.StateWords;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that filter jobs. A job has to pass all of them. */
public final class JobFilters {

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description =
          "only jobs in one of these states, such as waiting,running or failed; pending are those"
              + " that have not started (submitted, held, waiting), and completed and PD, R, CD, F,"
              + " CA mean what they do in Slurm")
  private List<String> states = new ArrayList<>();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "only jobs of this name (repeatable)")
  private List<String> names = new ArrayList<>();

  @Option(names = "--user", paramLabel = "NAME", description = "only this user's jobs")
  private String user;

  @Option(names = "--me", description = "only your own jobs")
  private boolean me;

  @Option(
      names = "--label",
      paramLabel = "K=V",
      description = "only jobs that ask their nodes for this label (repeatable)")
  private List<String> labels = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = SinceConverter.class,
      description =
          "only jobs submitted within this time, as 2h, or since then, as 2026-11-24,"
              + " '2026-11-24 14:20', 14:20, today or yesterday")
  private Instant since;

  @Option(
      names = "--ended-since",
      paramLabel = "TIME",
      converter = SinceConverter.class,
      description = "only jobs that have ended within this time, or since then")
  private Instant endedSince;

  @Option(names = "-n", paramLabel = "N", description = "only the newest N of them")
  private Integer most;

  /** Returns whether no filter is given. */
  public boolean areNone() {
    return states.isEmpty()
        && names.isEmpty()
        && user == null
        && !me
        && labels.isEmpty()
        && since == null
        && endedSince == null
        && most == null;
  }

  /** Returns whether they name jobs, in whatever state they are. */
  public boolean meanNames() {
    return !names.isEmpty() && states.isEmpty();
  }

  /** Returns whether they speak of time or state, so that ended jobs are meant, too. */
  public boolean meanEnded() {
    return since != null || endedSince != null || !states.isEmpty();
  }

  /**
   * Returns the states that are given if each of them is one before the start; empty if others are,
   * or none.
   */
  public Set<TaskState> beforeStart() {
    Set<TaskState> all = EnumSet.noneOf(TaskState.class);
    for (String word : states) {
      Set<TaskState> meant = StateWords.states(word.trim()).orElse(Set.of());
      if (meant.isEmpty() || !meant.stream().allMatch(TaskState::isBefore)) {
        return Set.of();
      }
      all.addAll(meant);
    }
    return all;
  }

  /** Returns the same filters for jobs in any state but the final ones, whatever their number. */
  public JobFilters ofAllUnfinished() {
    JobFilters wider = ofUnfinished();
    wider.most = null;
    return wider;
  }

  /** Returns the same filters for jobs in any state but the final ones. */
  public JobFilters ofUnfinished() {
    JobFilters wider = new JobFilters();
    wider.states =
        Stream.of(TaskState.values())
            .filter(state -> !state.isFinal())
            .map(TaskState::label)
            .toList();
    wider.names = names;
    wider.user = user;
    wider.me = me;
    wider.labels = labels;
    wider.since = since;
    wider.endedSince = endedSince;
    wider.most = most;
    return wider;
  }

  /** Returns how many jobs are wanted, null for all. */
  public Integer most() {
    return most;
  }

  /** Returns the user whose jobs are meant, or null. */
  String user(RestClient server) throws IOException {
    return me ? server.access().user() : user;
  }

  /** Returns them as a part of a query, without user and number. */
  String query() {
    StringBuilder query = new StringBuilder();
    states.forEach(state -> add(query, "state", state));
    names.forEach(name -> add(query, "name", name));
    labels.forEach(label -> add(query, "label", label));
    if (since != null) {
      add(query, "since", since.toString());
    }
    if (endedSince != null) {
      add(query, "endedSince", endedSince.toString());
    }
    return query.toString();
  }

  static void add(StringBuilder query, String name, String value) {
    query.append('&').append(name).append('=').append(RestClient.encode(value));
  }

  /** Reads a time, or how long ago it was. */
  static final class SinceConverter implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return since(text, ZonedDateTime.now(ZoneId.systemDefault()));
      } catch (IllegalArgumentException none) {
        throw new TypeConversionException(none.getMessage());
      }
    }
  }

  /**
   * Returns the time that is meant.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Instant since(String text, ZonedDateTime now) {
    if (text.trim().matches("\\d{1,2}:\\d{2}(:\\d{2})?")) { // and no hours, minutes and seconds
      return at(text.trim(), now);
    }
    if (text.trim().equals("today") || text.trim().equals("yesterday")) {
      LocalDate today = now.toLocalDate();
      LocalDate day = text.trim().equals("today") ? today : today.minusDays(1);
      return day.atStartOfDay(now.getZone()).toInstant();
    }
    try {
      return now.toInstant().minus(SizeAndTimeParser.time(text));
    } catch (IllegalArgumentException noDuration) {
      return at(text.trim().replace(' ', 'T'), now);
    }
  }

  private static Instant at(String text, ZonedDateTime now) {
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text);
      } else if (text.contains("T")) {
        return LocalDateTime.parse(text).atZone(now.getZone()).toInstant();
      } else if (text.contains("-")) {
        return LocalDate.parse(text).atStartOfDay(now.getZone()).toInstant();
      }
      return now.with(LocalTime.parse(text)).toInstant();
    } catch (DateTimeException none) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a time: write how long ago, as 2h or 3d, or when, as 2026-11-24,"
              + " '2026-11-24 14:20', 14:20, today or yesterday");
    }
  }
}
