package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What podman and docker have in common. */
abstract sealed class OciEngine implements ContainerEngine permits PodmanEngine, DockerEngine {

  /** The weight of a core in control groups of version 1, which both engines take. */
  private static final long SHARES_OF_A_CPU = 1024;

  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262_144;

  @Override
  public final boolean keepsContainers() {
    return true;
  }

  @Override
  public final boolean readsVariables() {
    return true;
  }

  @Override
  public Optional<String> refusal(ContainerTerms terms, LentDevices devices) {
    return Optional.empty();
  }

  @Override
  public final List<String> argv(ContainerStartSpec start) {
    List<String> argv = new ArrayList<>(List.of(start.program(), "run", "--name", start.name()));
    start.labels().forEach((label, value) -> add(argv, "--label", label + "=" + value));
    addOwn(argv, start);
    start.variables().forEach(name -> add(argv, "--env", name));
    if (start.chosenFile() != null) {
      add(argv, "--env-file", start.chosenFile());
    }
    if (start.devices().nvidia().isEmpty()) { // an image may say all, and a runtime obey it
      add(argv, "--env", "NVIDIA_VISIBLE_DEVICES=void");
    }
    add(argv, "--workdir", start.folder());
    if (start.devices().amd()) {
      argv.addAll(List.of("--device", "/dev/kfd", "--device", "/dev/dri"));
    }
    addLimits(argv, start);
    if (start.hostNetwork()) {
      argv.add("--network=host");
    }
    for (ContainerTerms.Port port : start.terms().ports()) {
      add(argv, "--publish", port.host() + ":" + port.container());
    }
    argv.addAll(List.of("--security-opt", "label=disable")); // else SELinux closes the mounts
    argv.add(start.terms().pull() ? "--pull=missing" : "--pull=never");
    argv.addAll(start.options());
    add(argv, "--entrypoint", start.command().get(0)); // the command alone, unchanged
    addImage(argv, start);
    argv.addAll(start.command().subList(1, start.command().size()));
    return argv;
  }

  private static void addLimits(List<String> argv, ContainerStartSpec start) {
    if (start.memoryBytes() > 0) {
      add(argv, "--memory", Long.toString(start.memoryBytes()));
      add(argv, "--memory-swap", Long.toString(start.memoryBytes())); // both together: no swap
    }
    if (start.terms().cpuLimit() > 0) {
      add(argv, "--cpus", String.format(Locale.ROOT, "%.3f", start.terms().cpuLimit()));
    }
    if (start.cpus() > 0) {
      long shares = Math.round(start.cpus() * SHARES_OF_A_CPU);
      add(argv, "--cpu-shares", "" + Math.max(LEAST_SHARES, Math.min(MOST_SHARES, shares)));
    }
    if (start.terms().shmBytes() > 0) {
      add(argv, "--shm-size", Long.toString(start.terms().shmBytes()));
    }
  }

  /** Adds what is said to each engine in its own way. */
  abstract void addOwn(List<String> argv, ContainerStartSpec start);

  void addImage(List<String> argv, ContainerStartSpec start) {
    argv.add(start.terms().image());
  }

  static void add(List<String> argv, String option, String value) {
    argv.add(option);
    argv.add(value);
  }
}
