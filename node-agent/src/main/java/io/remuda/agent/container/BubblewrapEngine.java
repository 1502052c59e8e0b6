package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Bubblewrap, with a plain folder as the root file system. Its containers are ordinary processes of
 * the task, in the node's network and among its processes: nothing of them can stay.
 */
final class BubblewrapEngine implements ContainerEngine {

  /** Where programs are found in a root file system. */
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  @Override
  public String name() {
    return "bubblewrap";
  }

  @Override
  public String command() {
    return "bwrap";
  }

  @Override
  public boolean suits(ContainerTerms terms) {
    return terms.isPath() && !terms.image().endsWith(ApptainerEngine.FILE);
  }

  @Override
  public Optional<String> refusal(ContainerTerms terms, LentDevices devices) {
    if (!suits(terms)) {
      return Optional.of(
          "bubblewrap has no images: name the folder of a root file system, got " + terms.image());
    }
    if (terms.cpuLimit() > 0) {
      return Optional.of("bubblewrap cannot limit cores: leave cpuLimit out");
    }
    return HostPortMappingCheck.refusal(name(), terms);
  }

  /** Variables of other engines do not direct this one, and may be secret. */
  @Override
  public Map<String, String> environment(ContainerStartSpec start) {
    Map<String, String> ofOthers = new TreeMap<>(start.chosen());
    ofOthers.keySet().removeIf(name -> !EngineEnvironment.isOfEngines(name));
    return ofOthers;
  }

  @Override
  public List<String> argv(ContainerStartSpec start) {
    List<String> argv = new ArrayList<>(List.of(start.program()));
    argv.addAll(List.of("--bind", start.terms().image(), "/"));
    argv.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
    if (start.terms().shmBytes() > 0) {
      argv.addAll(List.of("--size", Long.toString(start.terms().shmBytes()), "--tmpfs"));
      argv.add("/dev/shm");
    }
    if (!start.devices().nvidia().isEmpty()) { // all of them; CUDA_VISIBLE_DEVICES selects
      start.devices().files().forEach(file -> argv.addAll(List.of("--dev-bind", file, file)));
    }
    if (start.devices().amd()) {
      argv.addAll(List.of("--dev-bind", "/dev/kfd", "/dev/kfd", "--dev-bind", "/dev/dri"));
      argv.add("/dev/dri");
    }
    for (ContainerTerms.Mount mount : start.mounts()) {
      argv.addAll(
          List.of(mount.readOnly() ? "--ro-bind" : "--bind", mount.source(), mount.target()));
    }
    EngineEnvironment.HOST_ONLY.forEach(name -> argv.addAll(List.of("--unsetenv", name)));
    argv.addAll(List.of("--setenv", "PATH", PATH, "--setenv", "HOME", "/"));
    start
        .chosen()
        .forEach(
            (name, value) -> {
              if (!EngineEnvironment.isOfEngines(name)) { // paths, which are no secrets
                argv.addAll(List.of("--setenv", name, value));
              }
            });
    argv.addAll(List.of("--chdir", start.folder()));
    argv.addAll(start.options());
    argv.add("--");
    argv.addAll(start.command());
    return argv;
  }
}
