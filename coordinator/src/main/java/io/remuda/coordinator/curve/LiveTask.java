package io.remuda.coordinator.curve;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ReportedPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the program of an attempt has reported so far. Not thread-safe. */
final class LiveTask {

  /** Names of an attempt, as agents keep them, too. */
  private static final int MOST_NAMES = 50;

  private static final int MOST_NOTES = 150;
  private static final int MOST_NAME = 64;

  private final String attempt;
  private final Map<String, TaskCurve> reported;
  private final Map<String, String> notes;
  private long until;

  LiveTask(String attempt) {
    this(new CurveCodec.Kept(new TaskCurves(attempt, Map.of(), List.of(), Map.of()), 0));
  }

  LiveTask(CurveCodec.Kept kept) {
    this.attempt = kept.curves().attempt();
    this.reported = new HashMap<>(kept.curves().reported());
    this.notes = new HashMap<>(kept.curves().notes());
    this.until = kept.until();
  }

  /** Returns whether all of a message is in it already. */
  boolean has(AgentMessage.Metrics message) {
    return message.until() <= until;
  }

  /** Returns the place up to which all is in it. */
  long until() {
    return until;
  }

  /**
   * Adds a message. Without memory its curves have fewer points, and there are no further ones.
   *
   * @param room points for which there is memory
   */
  void add(AgentMessage.Metrics message, long room) {
    until = message.until();
    message
        .notes()
        .forEach(
            (about, text) -> {
              if (notes.containsKey(about) || notes.size() < MOST_NOTES) {
                notes.put(about, text);
              }
            });
    long left = room;
    for (Map.Entry<String, List<ReportedPoint>> series : message.points().entrySet()) {
      String name = series.getKey();
      TaskCurve curve = reported.get(name);
      if (curve == null && name.length() <= MOST_NAME && reported.size() < MOST_NAMES) {
        if (left < TaskCurve.MOST) {
          notes.put("memory", "the server has no memory for the curve of " + name);
        } else {
          curve = new TaskCurve();
          reported.put(name, curve);
          left -= curve.room();
        }
      }
      if (curve != null) {
        for (ReportedPoint point : series.getValue()) {
          long before = curve.room();
          curve.add(point, left);
          left -= curve.room() - before;
        }
      }
    }
  }

  /** Returns the points for which it has memory. */
  long room() {
    return reported.values().stream().mapToLong(TaskCurve::room).sum();
  }

  /** Returns a copy of what it has. */
  TaskCurves curves(List<TaskCurves.Reading> readings) {
    Map<String, TaskCurve> copies = new HashMap<>();
    reported.forEach((name, curve) -> copies.put(name, TaskCurve.of(curve.stored())));
    return new TaskCurves(attempt, copies, readings, notes);
  }

  /** Returns what it has, without a copy: to be written before anything is added. */
  CurveCodec.Kept kept(List<TaskCurves.Reading> readings) {
    return new CurveCodec.Kept(new TaskCurves(attempt, reported, readings, notes), until);
  }
}
