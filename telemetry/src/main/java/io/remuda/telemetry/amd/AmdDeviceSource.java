package io.remuda.telemetry.amd;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import io.remuda.telemetry.source.VisibleDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * AMD GPUs, read from sysfs without ROCm libraries. A GPU's identifier has the form that {@code
 * ROCR_VISIBLE_DEVICES} accepts, {@code GPU-} and 16 hexadecimal digits; GPUs without one, such as
 * the integrated graphics of desktop processors, are omitted. Process lists are read every 5 s or
 * on request.
 */
public final class AmdDeviceSource implements DeviceSource {

  private static final String AMD = "0x1002";
  private static final long PROCESS_NANOS = Duration.ofSeconds(5).toNanos();

  private final Path sys;
  private final List<AmdCard> cards;
  private final LongSupplier ticker;
  private final AtomicBoolean processesAsked = new AtomicBoolean(true);
  private volatile boolean closed;
  private long processesRead;

  private AmdDeviceSource(Path sys, List<AmdCard> cards, LongSupplier ticker) {
    this.sys = sys;
    this.cards = List.copyOf(cards);
    this.ticker = ticker;
  }

  /**
   * Finds the GPUs.
   *
   * @param sys where sysfs is mounted
   * @param visible value of ROCR_VISIBLE_DEVICES; null for all
   * @param ticker monotonic nanoseconds; decides when process lists are due
   */
  public static AmdDeviceSource open(Path sys, String visible, LongSupplier ticker) {
    KfdProcesses processes = new KfdProcesses(sys);
    String driver = SysfsFile.text(sys.resolve("module/amdgpu/version")).orElse("amdgpu");
    List<Path> all = gpus(sys);
    List<Path> folders = all.stream().filter(device -> mayOpen(sys, device)).toList();
    List<DeviceInfo> infos = new ArrayList<>();
    for (int index = 0; index < folders.size(); index++) {
      infos.add(info(folders.get(index), index, driver));
    }
    List<DeviceInfo> seen = VisibleDevices.restrict(infos, visible);
    boolean counted = seen.size() == all.size(); // else ROCm counts only some of them in a job
    List<AmdCard> cards =
        seen.stream()
            .map(info -> info.withOrdinal(counted ? processes.ordinal(info.id()) : null))
            .map(info -> new AmdCard(info, folders.get(info.index()), processes))
            .toList();
    return new AmdDeviceSource(sys, cards, ticker);
  }

  /** Returns the device folders of the GPUs, in PCI order, whoever may open them. */
  private static List<Path> gpus(Path sys) {
    try (Stream<Path> all = Files.list(sys.resolve("class/drm"))) {
      return all.filter(path -> path.getFileName().toString().matches("card\\d+"))
          .map(path -> path.resolve("device"))
          .filter(device -> SysfsFile.text(device.resolve("vendor")).orElse("").equals(AMD))
          .filter(device -> id(device).isPresent())
          .sorted(Comparator.comparing(AmdDeviceSource::busId))
          .toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  /**
   * Tests access through the render node, because a device cgroup or container hides it but not
   * sysfs.
   */
  private static boolean mayOpen(Path sys, Path device) {
    Path nodes = sys.resolveSibling("dev").resolve("dri");
    try (Stream<Path> all = Files.list(device.resolve("drm"))) {
      List<String> renders =
          all.map(path -> path.getFileName().toString())
              .filter(name -> name.startsWith("renderD"))
              .toList();
      return renders.isEmpty()
          || renders.stream().anyMatch(name -> Files.isReadable(nodes.resolve(name)));
    } catch (IOException noDrmFolder) {
      return true;
    }
  }

  private static DeviceInfo info(Path device, int index, String driver) {
    return new DeviceInfo(
        id(device).orElseThrow(),
        index,
        DeviceVendor.AMD,
        SysfsFile.text(device.resolve("product_name")).orElse("AMD GPU"),
        busId(device),
        SysfsFile.numberIfThere(device.resolve("mem_info_vram_total")).orElse(0),
        driver);
  }

  private static Optional<DeviceId> id(Path device) {
    return SysfsFile.text(device.resolve("unique_id"))
        .filter(text -> text.matches("[0-9a-fA-F]{1,16}"))
        .map(text -> Long.parseUnsignedLong(text, 16))
        .filter(number -> number != 0)
        .map(AmdDeviceSource::idOf);
  }

  static DeviceId idOf(long uniqueId) {
    return new DeviceId(String.format(Locale.ROOT, "GPU-%016x", uniqueId));
  }

  /**
   * Returns the address such as {@code 0000:03:00.0} from the line {@code PCI_SLOT_NAME=} of {@code
   * uevent}.
   */
  private static String busId(Path device) {
    return SysfsFile.text(device.resolve("uevent"))
        .flatMap(
            text ->
                text.lines()
                    .filter(line -> line.startsWith("PCI_SLOT_NAME="))
                    .map(line -> line.substring("PCI_SLOT_NAME=".length()))
                    .findFirst())
        .map(id -> id.toUpperCase(Locale.ROOT))
        .orElse("");
  }

  @Override
  public List<DeviceInfo> inventory() {
    return cards.stream().map(AmdCard::info).toList();
  }

  @Override
  public List<DeviceSample> sample() {
    return DeviceSource.all(this);
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    boolean withProcesses = processesDue();
    for (AmdCard card : cards) {
      if (progress.starting(card.info().id())) {
        progress.sampled(
            closed
                ? DeviceSample.stale(card.info(), "sysfs", "CLOSED")
                : card.sample(withProcesses));
      }
    }
  }

  private synchronized boolean processesDue() {
    long now = ticker.getAsLong();
    boolean due = processesAsked.getAndSet(false) || now - processesRead >= PROCESS_NANOS;
    processesRead = due ? now : processesRead;
    return due;
  }

  @Override
  public void refreshProcesses() {
    processesAsked.set(true);
  }

  @Override
  public OptionalLong memoryUsed(DeviceId id) {
    return cards.stream()
        .filter(card -> !closed && card.info().id().equals(id))
        .map(AmdCard::memoryUsed)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  @Override
  public String description() {
    return "amdgpu of " + sys + ": " + cards.size() + " device(s)";
  }

  @Override
  public void close() {
    closed = true;
  }
}
