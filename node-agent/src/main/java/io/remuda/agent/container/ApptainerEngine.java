package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Apptainer, of which the containers are ordinary processes of the task. */
final class ApptainerEngine implements ContainerEngine {

  /** Ending of its image files. */
  static final String FILE = ".sif";

  /** Beginning of its own variables that are one of the container without it. */
  private static final String OF_CONTAINER = "APPTAINERENV_";

  @Override
  public boolean renumbers() {
    return false;
  }

  @Override
  public String name() {
    return "apptainer";
  }

  @Override
  public boolean suits(ContainerTerms terms) {
    return terms.isPath() || terms.pull();
  }

  @Override
  public Optional<String> refusal(ContainerTerms terms, LentDevices devices) {
    if (!terms.isPath() && !terms.pull()) {
      return Optional.of(
          "apptainer has no images of its own: name a file or folder, or allow it to pull");
    }
    if (terms.shmBytes() > 0) {
      return Optional.of("apptainer cannot size /dev/shm: leave shmSize out");
    }
    return HostPortMappingCheck.refusal(name(), terms);
  }

  /** It sets HOME itself. */
  @Override
  public Map<String, String> environment(ContainerStartSpec start) {
    Map<String, String> prefixed = new TreeMap<>();
    start.chosen().forEach((name, value) -> prefixed.put(OF_CONTAINER + name, value));
    prefixed.remove(OF_CONTAINER + "HOME");
    return prefixed;
  }

  @Override
  public List<String> argv(ContainerStartSpec start) {
    List<String> argv =
        new ArrayList<>(List.of(start.program(), "exec", "--contain", "--no-home", "--pwd"));
    argv.add(start.folder());
    for (ContainerTerms.Mount mount : start.mounts()) {
      argv.add("--bind");
      argv.add(mount.source() + ":" + mount.target() + (mount.readOnly() ? ":ro" : ":rw"));
    }
    if (!start.devices().nvidia().isEmpty()) {
      argv.add("--nv"); // all of them; CUDA_VISIBLE_DEVICES selects
    }
    if (start.devices().amd()) {
      argv.add("--rocm");
    }
    if (start.terms().cpuLimit() > 0) {
      argv.add("--cpus");
      argv.add(String.format(Locale.ROOT, "%.3f", start.terms().cpuLimit()));
    }
    argv.addAll(start.options());
    String image = start.terms().image();
    argv.add(start.terms().isPath() || image.contains("://") ? image : "docker://" + image);
    argv.addAll(start.command());
    return argv;
  }
}
