package io.remuda.telemetry.nvml;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import io.remuda.telemetry.source.VisibleDevices;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * NVIDIA GPUs, read through the driver's library.
 *
 * <p><b>Reopening.</b> When a GPU is lost, or driver and library versions no longer match, the
 * library is shut down and reopened after 5 s, then after twice the delay each time up to 60 s, and
 * the handles are looked up by UUID. The shutdown waits while another thread is inside the driver,
 * because nvmlShutdown would unload the library under it. The devices and their order stay those of
 * the first successful opening.
 *
 * <p><b>Process lists</b> cost milliseconds per GPU. They are read every 5 s, or with the next
 * sample after {@link #refreshProcesses}.
 */
public final class NvmlDeviceSource implements DeviceSource {
  private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
  private static final Duration LAST_RETRY = Duration.ofSeconds(60);
  private static final long PROCESS_NANOS = Duration.ofSeconds(5).toNanos();

  private final NvmlSession session;
  private final String libraryName;
  private final String visible;
  private final LongSupplier ticker;
  private final BackOff backOff;
  private final AtomicLong processesAsked = new AtomicLong();

  /** When each device's process list was last read; one thread reads a device at a time. */
  private final Map<DeviceId, ProcessTurn> processTurns = new HashMap<>();

  private volatile List<NvmlDevice> devices = List.of();
  private volatile String state;

  /** Guards the three fields below; never held inside the driver. */
  private final Object lock = new Object();

  private int inside;
  private boolean reopening;
  private boolean closed;

  private NvmlDeviceSource(
      NvmlLibrary library, String libraryName, String visible, LongSupplier ticker) {
    this.session = new NvmlSession(library);
    this.libraryName = libraryName;
    this.visible = visible;
    this.ticker = ticker;
    this.backOff = new BackOff(FIRST_RETRY, LAST_RETRY, ticker);
  }

  /**
   * Loads and opens the library. If opening fails, the source has no devices until a later retry
   * succeeds.
   *
   * @param library path, or the name by which the loader finds it
   * @param visible value of CUDA_VISIBLE_DEVICES; null for all
   * @param ticker monotonic nanoseconds; decides when process lists and retries are due
   * @throws UnsatisfiedLinkError when the library cannot be loaded
   */
  public static NvmlDeviceSource open(String library, String visible, LongSupplier ticker) {
    NvmlDeviceSource source =
        new NvmlDeviceSource(NvmlLibrary.load(library), library, visible, ticker);
    source.openSession();
    return source;
  }

  @Override
  public List<DeviceInfo> inventory() {
    List<NvmlDevice> all = devices;
    boolean isCounted = all.stream().noneMatch(NvmlDevice::isLost); // CUDA may not count that one
    return all.stream()
        .map(NvmlDevice::info)
        .map(info -> isCounted ? info : info.withOrdinal(null))
        .toList();
  }

  @Override
  public List<DeviceSample> sample() {
    return DeviceSource.all(this);
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    if (!enter()) {
      tellClosed(progress);
      return;
    }
    try {
      reopenIfDue();
      for (NvmlDevice device : devices) {
        if (progress.starting(device.info().id())) {
          progress.sampled(device.sample(processesDue(device)));
        }
      }
      planReopening();
    } finally {
      leave();
    }
  }

  @Override
  public void refreshProcesses() {
    processesAsked.incrementAndGet();
  }

  @Override
  public OptionalLong memoryUsed(DeviceId id) {
    if (!enter()) {
      return OptionalLong.empty();
    }
    try {
      for (NvmlDevice device : devices) {
        if (device.info().id().equals(id)) {
          return device.memoryUsed();
        }
      }
      return OptionalLong.empty();
    } finally {
      leave();
    }
  }

  @Override
  public String description() {
    return "NVML of " + libraryName + ": " + state;
  }

  /** Shuts the library down, or leaves that to the last thread inside the driver. */
  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      if (inside > 0) {
        return;
      }
    }
    shutdown("closed");
  }

  private boolean enter() {
    synchronized (lock) {
      if (closed || reopening) {
        return false;
      }
      inside++;
      return true;
    }
  }

  private void leave() {
    synchronized (lock) {
      inside--;
      if (!closed || inside > 0) {
        return;
      }
    }
    shutdown("closed");
  }

  private void tellClosed(SampleProgressListener progress) {
    for (NvmlDevice device : devices) {
      if (progress.starting(device.info().id())) {
        progress.sampled(
            DeviceSample.stale(
                device.info(), NvmlFunction.INIT.symbol(), NvmlReturn.UNINITIALIZED.name()));
      }
    }
  }

  private boolean processesDue(NvmlDevice device) {
    ProcessTurn turn;
    synchronized (processTurns) {
      turn = processTurns.computeIfAbsent(device.info().id(), id -> new ProcessTurn());
    }
    return turn.due(ticker.getAsLong(), processesAsked.get());
  }

  private void planReopening() {
    boolean wanted = !session.opened() || devices.stream().anyMatch(NvmlDevice::asksForReopening);
    synchronized (lock) {
      if (wanted) {
        backOff.failed();
      } else {
        backOff.succeeded();
      }
    }
  }

  private void reopenIfDue() {
    synchronized (lock) {
      if (inside > 1 || !backOff.tryNow()) {
        return;
      }
      reopening = true;
    }
    try {
      shutdown("reopening");
      openSession();
    } finally {
      synchronized (lock) {
        reopening = false;
      }
    }
  }

  private void shutdown(String why) {
    devices.forEach(device -> device.detach(NvmlReturn.UNINITIALIZED));
    state = why;
    session.shutdown();
  }

  private void openSession() {
    NvmlReturn answer = session.open();
    if (answer != NvmlReturn.SUCCESS) {
      state = "nvmlInit answered " + answer.name() + " (" + answer.code() + "), retrying later";
      devices.forEach(device -> device.detach(answer));
      synchronized (lock) {
        backOff.failed();
      }
      return;
    }
    if (devices.isEmpty()) {
      devices = visibleOnly(NvmlEnumeration.of(session));
    } else {
      devices.forEach(d -> d.attach(session.nvml(), session.handle(d.info().id().uuid())));
    }
    state = "driver " + session.driverVersion() + ", " + devices.size() + " device(s)";
  }

  private List<NvmlDevice> visibleOnly(List<NvmlDevice> found) {
    List<DeviceInfo> left =
        VisibleDevices.restrict(found.stream().map(NvmlDevice::info).toList(), visible);
    boolean all = left.size() == found.size();
    return found.stream()
        .filter(device -> left.contains(device.info()))
        .map(device -> all ? device : device.uncounted()) // jobs may be given the same subset
        .toList();
  }

  /** Decides when the process list of one device is due. */
  private static final class ProcessTurn {
    private boolean never = true;
    private long last;
    private long answered;

    synchronized boolean due(long now, long asked) {
      if (!never && asked == answered && now - last < PROCESS_NANOS) {
        return false;
      }
      never = false;
      last = now;
      answered = asked;
      return true;
    }
  }

  /** Computes when to retry: after a first delay, which doubles with each failure up to a limit. */
  static final class BackOff {
    private final long firstNanos;
    private final long limitNanos;
    private final LongSupplier ticker;
    private long delayNanos;
    private long dueAt;
    private boolean armed;

    /**
     * @param ticker monotonic nanoseconds
     */
    BackOff(Duration first, Duration limit, LongSupplier ticker) {
      this.firstNanos = first.toNanos();
      this.limitNanos = limit.toNanos();
      this.ticker = ticker;
    }

    /** Schedules the next retry; has no effect while one is scheduled. */
    void failed() {
      if (armed) {
        return;
      }
      delayNanos = delayNanos == 0 ? firstNanos : Math.min(2 * delayNanos, limitNanos);
      dueAt = ticker.getAsLong() + delayNanos;
      armed = true;
    }

    /** Returns true once per elapsed delay: the caller retries now. */
    boolean tryNow() {
      if (!armed || ticker.getAsLong() - dueAt < 0) {
        return false;
      }
      armed = false;
      return true;
    }

    /** Cancels the scheduled retry and resets the delay. */
    void succeeded() {
      armed = false;
      delayNanos = 0;
    }
  }
}
