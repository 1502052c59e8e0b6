package io.remuda.agent.settings;

import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.source.HostSource;
import java.util.ArrayList;
import java.util.List;

/** A machine of which only a part is available to Remuda. */
public final class LimitedHostSource implements HostSource {

  private final HostSource machine;
  private final HostInfo info;

  private LimitedHostSource(HostSource machine, HostInfo info) {
    this.machine = machine;
    this.info = info;
  }

  /**
   * Returns the machine with its limits; the machine itself if there are none.
   *
   * @param cpus number of available cores, or null for all
   * @param memory available bytes, or null for all
   * @throws IllegalArgumentException naming the option and its invalid value
   */
  public static HostSource of(HostSource machine, Double cpus, Long memory) {
    if (cpus == null && memory == null) {
      return machine;
    }
    HostInfo all = machine.info();
    if (cpus != null && (!(cpus > 0) || cpus.isInfinite())) {
      throw new IllegalArgumentException("--cpus must be above 0, got " + cpus);
    }
    return new LimitedHostSource(
        machine,
        new HostInfo(
            all.hostName(),
            all.cpuModel(),
            all.cpusOnline(),
            cpus == null ? all.cpusAllowed() : cpus,
            all.memTotal(),
            memory == null ? all.memAllowed() : memory));
  }

  /**
   * Returns what to tell people if more is offered than there is, one line for each option; that is
   * allowed, for tasks that mostly wait.
   *
   * @param all of the machine, before any limit
   */
  public static List<String> excess(HostInfo all, Double cpus, Long memory) {
    List<String> lines = new ArrayList<>();
    if (cpus != null && cpus > all.cpusAllowed()) {
      lines.add(
          "--cpus "
              + cpus
              + " is more than the "
              + all.cpusAllowed()
              + " CPUs here: tasks will share them");
    }
    if (memory != null && memory > all.memAllowed()) {
      lines.add(
          "--mem "
              + (memory >> 20)
              + " MiB is more than the "
              + (all.memAllowed() >> 20)
              + " MiB here: tasks may run out of it");
    }
    return lines;
  }

  @Override
  public HostInfo info() {
    return info;
  }

  @Override
  public HostSample sample() {
    return machine.sample();
  }
}
