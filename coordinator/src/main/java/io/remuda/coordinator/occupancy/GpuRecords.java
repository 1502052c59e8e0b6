package io.remuda.coordinator.occupancy;

import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.DeviceMemorySplit;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.spans.SpanFiles;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps who had which GPU and why nobody had it, from what is seen once a second. Blocks.
 * Thread-safe.
 */
public final class GpuRecords implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(GpuRecords.class);

  private static final long FILE_BYTES = 16 << 20;
  private static final int MEBIBYTE = 20;

  /** Without a look for so long, nothing is known of the time between. */
  private static final int GAP_SECONDS = 6;

  /** What a kill loses at most, with few and with many spans that are not over. */
  private static final int WRITE_SECONDS = 5;

  private static final int MANY_WRITE_SECONDS = 60;
  private static final int MANY = 1000;

  private final SpanFiles files;
  private final Map<DeviceId, String> numbers = new HashMap<>();
  private Map<GpuSpan.Key, GpuSpan> current = new HashMap<>();
  private final List<GpuSpan> over = new ArrayList<>();
  private long lastSeen;
  private long written;
  private long openWritten;
  private boolean failed;

  private GpuRecords(SpanFiles files, long second) {
    this.files = files;
    this.lastSeen = second;
    this.written = second;
    this.openWritten = second;
  }

  /** Opens the records in a folder, which it makes. */
  public static GpuRecords open(Path folder, long second) throws IOException {
    SpanFiles files = new SpanFiles(folder, FILE_BYTES);
    files.begin(second);
    List<String> left = files.open(); // of a server that was killed
    if (!left.isEmpty()) {
      files.append(left, second);
      files.writeOpen(List.of());
    }
    return new GpuRecords(files, second);
  }

  /** Returns from when on there are records, in seconds since 1970. */
  public synchronized long since() {
    return files.since().orElse(lastSeen);
  }

  /** Returns the last second that was looked at. */
  public synchronized long lastSeen() {
    return lastSeen;
  }

  /**
   * Keeps what was seen.
   *
   * @param second since 1970, later than the last one; another one is ignored
   */
  public synchronized void seen(ClusterActivity activity, long second) {
    if (second <= lastSeen && lastSeen - second < GAP_SECONDS) {
      return;
    }
    if (second - lastSeen > GAP_SECONDS || second < lastSeen) {
      over.addAll(current.values());
      current.clear();
    }
    Map<GpuSpan.Key, GpuSpan> next = new HashMap<>();
    GpuGaps gaps = new GpuGaps(activity.waits());
    for (NodeOffer node : activity.nodes().nodes()) {
      number(activity.nodes().samples().get(node.node()));
      for (DeviceOffer device : node.devices()) {
        of(node, device, activity.nodes(), gaps, second, span -> keep(span, next));
      }
    }
    current.values().forEach(gone -> over.add(gone.during(gone.from(), second)));
    current = next;
    lastSeen = second;
    write(second);
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
      over.add(before.during(before.from(), now.from()));
    }
    next.put(now.key(), goesOn ? now.during(before.from(), now.to()) : now);
  }

  private void write(long second) {
    int pause = current.size() < MANY ? WRITE_SECONDS : MANY_WRITE_SECONDS;
    try {
      if (!over.isEmpty() && Math.abs(second - written) >= WRITE_SECONDS) {
        written = second;
        files.append(over.stream().map(GpuSpanLines::line).toList(), second);
        over.clear();
      }
      if (Math.abs(second - openWritten) >= pause) {
        openWritten = second;
        files.writeOpen(current.values().stream().map(GpuSpanLines::line).toList());
      }
      failed = false;
    } catch (IOException fault) {
      over.clear(); // what is kept is bounded
      if (!failed) {
        LOG.warn("who had which GPU is not written: {}", fault.toString());
        failed = true;
      }
    }
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
    List<Path> written;
    List<GpuSpan> newest;
    synchronized (this) {
      written = files.files(from);
      newest = new ArrayList<>(over);
      current.values().forEach(span -> newest.add(span.during(span.from(), lastSeen + 1)));
    }
    SpanFiles.read(written, "", line -> GpuSpanLines.span(line).ifPresent(within));
    newest.forEach(within);
  }

  /** Ends what is not over, and writes everything. */
  @Override
  public synchronized void close() {
    over.addAll(current.values());
    current.clear();
    written = 0;
    openWritten = 0;
    write(lastSeen);
  }
}
