package io.remuda.coordinator.doctor;

import io.remuda.agent.settings.RemudaPaths;
import io.remuda.telemetry.host.LinuxHost;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.HostSource;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs all checks, one after the other. */
public final class Doctor {

  private static final Duration DRIVER = Duration.ofSeconds(10);
  private static final Duration SAMPLE = Duration.ofSeconds(3);

  private final Map<String, String> environment;
  private final RemudaPaths paths;

  public Doctor(Map<String, String> environment, RemudaPaths paths) {
    this.environment = Map.copyOf(environment);
    this.paths = paths;
  }

  /** Checks everything and passes on each finding as soon as it is known. */
  public void look(Consumer<DoctorFinding> tell) {
    HostSource host = LinuxHost.open(environment);
    HostInfo info = host.info();
    tell.accept(MachineChecks.java(Runtime.version().feature(), System.getProperty("java.home")));
    tell.accept(MachineChecks.cpus(info));
    tell.accept(MachineChecks.memory(info));
    tell.accept(MachineChecks.clock(Clock.systemUTC().millis()));
    tell.accept(FolderChecks.state(paths.state()));
    tell.accept(FolderChecks.cache(paths.cache()));
    tell.accept(FolderChecks.programs(paths.cache()));
    tell.accept(FolderChecks.deviceLocks(environment));
    tell.accept(FolderChecks.ofTrainings(paths.state()));
    devices(host, info.hostName()).forEach(tell);
    tell.accept(InstallationChecks.libtorch(paths.cache()));
    tell.accept(InstallationChecks.cuda(environment));
    tell.accept(InstallationChecks.data(environment, paths.cache()));
    tell.accept(InstallationChecks.ports());
    tell.accept(InstallationChecks.slurm(environment));
  }

  private List<DoctorFinding> devices(HostSource host, String machine) {
    DeviceSource source = DeviceSources.open(environment, DRIVER);
    try (TelemetrySampler sampler = TelemetrySampler.start(source, host, SAMPLE, machine)) {
      NodeSample sample = sampler.sample();
      return DeviceChecks.look(source, sample.devices());
    }
  }

  /** Returns the worst verdict of some findings. */
  public static DoctorFinding.Verdict worst(List<DoctorFinding> findings) {
    return findings.stream()
        .map(DoctorFinding::verdict)
        .max(Comparator.naturalOrder())
        .orElse(DoctorFinding.Verdict.GOOD);
  }
}
