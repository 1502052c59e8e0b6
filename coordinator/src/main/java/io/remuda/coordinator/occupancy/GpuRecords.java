package io.remuda.coordinator.occupancy;

import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.DeviceMemorySplit;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.spans.SpanJournal;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps who had which GPU and why nobody had it, from what is seen once a second. Blocks.
 * Thread-safe.
 */
public final class GpuRecords implements Closeable {

  private static final long FILE_BYTES = 16 << 20;
  private static final int MEBIBYTE = 20;

  /** A span is known by its GPU and attempt, and when it began. */
  private record Begun(GpuSpan.Key key, long from) {}

  private static final SpanJournal.Form<GpuSpan> FORM =
      new SpanJournal.Form<>() {
        @Override
        public String line(GpuSpan span) {
          return GpuSpanLines.line(span);
        }

        @Override
        public Optional<GpuSpan> span(String line) {
          return GpuSpanLines.span(line);
        }

        @Override
        public Object beginning(GpuSpan span) {
          return new Begun(span.key(), span.from());
        }
      };

  private final SpanJournal<GpuSpan> journal;
  private final Map<DeviceId, String> numbers = new HashMap<>();
  private Map<GpuSpan.Key, GpuSpan> current = new HashMap<>();

  private GpuRecords(SpanJournal<GpuSpan> journal) {
    this.journal = journal;
  }

  /** Opens the records in a folder, which it makes. */
  public static GpuRecords open(Path folder, long second) throws IOException {
    return new GpuRecords(SpanJournal.open(folder, FILE_BYTES, FORM, "who had which GPU", second));
  }

  /** Returns from when on there are records, in seconds since 1970. */
  public synchronized long since() {
    return journal.since();
  }

  /** Returns the last second that was looked at. */
  public synchronized long lastSeen() {
    return journal.lastSeen();
  }

  /**
   * Keeps what was seen.
   *
   * @param second since 1970, later than the last one; another one is ignored
   */
  public synchronized void seen(ClusterActivity activity, long second) {
    SpanJournal.Look look = journal.look(second);
    if (look == SpanJournal.Look.IGNORED) {
      return;
    }
    if (look == SpanJournal.Look.AFTER_GAP) {
      current.values().forEach(journal::add);
      current.clear();
    }
    Map<GpuSpan.Key, GpuSpan> next = new HashMap<>();
    GpuGaps gaps = new GpuGaps(activity.waits(), activity.queue().byReason().keySet());
    for (NodeOffer node : activity.nodes().nodes()) {
      number(activity.nodes().samples().get(node.node()));
      for (DeviceOffer device : node.devices()) {
        of(node, device, activity.nodes(), gaps, second, span -> keep(span, next));
      }
    }
    current.values().forEach(gone -> journal.add(gone.during(gone.from(), second)));
    current = next;
    journal.seen(second, current.values());
  }

  private void number(NodeSample sample) {
    if (sample != null) {
      for (DeviceSample device : sample.devices()) {
        numbers.putIfAbsent(device.id(), device.number());
      }
    }
  }

  private void of(
      NodeOffer node,
      DeviceOffer device,
      ClusterNodesSnapshot cluster,
      GpuGaps gaps,
      long second,
      Consumer<GpuSpan> into) {
    String number = numbers.getOrDefault(device.id(), "");
    List<DeviceMemorySplit.TenantMemory> parts =
        DeviceMemorySplit.of(
                device.totalMemory(),
                cluster.holders().getOrDefault(device.id(), List.of()),
                cluster.promised(),
                null)
            .parts();
    for (DeviceMemorySplit.TenantMemory part : parts) {
      into.accept(
          new GpuSpan(
              device.id().uuid(),
              node.node(),
              number,
              part.attempt().numbers(),
              part.reserved() == null ? 0 : part.reserved() >> MEBIBYTE,
              "",
              0,
              second,
              second));
    }
    if (parts.isEmpty()) {
      GpuGaps.Gap gap = gaps.of(node, device);
      into.accept(
          new GpuSpan(
              device.id().uuid(),
              node.node(),
              number,
              "",
              0,
              gap.reason(),
              gap.keptFor(),
              second,
              second));
    }
  }

  private void keep(GpuSpan now, Map<GpuSpan.Key, GpuSpan> next) {
    GpuSpan before = current.remove(now.key());
    boolean goesOn = before != null && now.isLike(before);
    if (before != null && !goesOn) {
      journal.add(before.during(before.from(), now.from()));
    }
    next.put(now.key(), goesOn ? now.during(before.from(), now.to()) : now);
  }

  /**
   * Passes on what was in a time, in no order; of a GPU and attempt there may be several. What is
   * not over ends later than {@link #lastSeen}.
   *
   * @param from in seconds since 1970
   */
  public void read(long from, long to, Consumer<GpuSpan> into) throws IOException {
    Consumer<GpuSpan> within =
        span -> {
          if (span.to() >= from && span.from() < to) {
            into.accept(span);
          }
        };
    SpanJournal.Snapshot<GpuSpan> snapshot;
    synchronized (this) {
      long end = journal.lastSeen() + 1;
      snapshot =
          journal.snapshot(
              from,
              span -> true,
              current.values().stream().map(span -> span.during(span.from(), end)).toList());
    }
    snapshot.read("", within);
  }

  /** Ends what is not over, and writes everything. */
  @Override
  public synchronized void close() {
    current.values().forEach(journal::add);
    current.clear();
    journal.end();
  }

  /** Writes spans as lines of text, and reads them. Pure. */
  private static final class GpuSpanLines {

    private static final int FIELDS = 9;

    private GpuSpanLines() {}

    static String line(GpuSpan span) {
      return String.join(
          "\t",
          plain(span.gpu()),
          Long.toString(span.from()),
          Long.toString(span.to()),
          plain(span.node()),
          plain(span.number()),
          span.attempt(),
          Long.toString(span.lentMib()),
          span.gap(),
          Long.toString(span.keptFor()));
    }

    private static String plain(String text) {
      return text.replaceAll("\\p{Cntrl}", " ");
    }

    /** Returns the span of a line; nothing if it is damaged, as the last one after a crash. */
    static Optional<GpuSpan> span(String line) {
      String[] fields = line.split("\t", -1);
      if (fields.length != FIELDS) {
        return Optional.empty();
      }
      try {
        return Optional.of(
            new GpuSpan(
                fields[0],
                fields[3],
                fields[4],
                fields[5],
                Long.parseLong(fields[6]),
                fields[7],
                Long.parseLong(fields[8]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2])));
      } catch (NumberFormatException damaged) {
        return Optional.empty();
      }
    }
  }
}
