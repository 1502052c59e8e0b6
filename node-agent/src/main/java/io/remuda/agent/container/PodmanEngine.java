package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.List;

/** Podman, as root or without. */
final class PodmanEngine extends OciEngine {

  @Override
  public String name() {
    return "podman";
  }

  /** It also runs a folder as a root file system. */
  @Override
  public boolean suits(ContainerTerms terms) {
    return !terms.isPath() || !terms.image().endsWith(ApptainerEngine.FILE);
  }

  @Override
  void addOwn(List<String> argv, ContainerStartSpec start) {
    argv.add("--log-driver=passthrough"); // the task's own output files, without a copy in storage
    if (start.initProgram() != null) {
      argv.add("--init");
      argv.add("--init-path=" + start.initProgram());
    }
    if (start.owner().rootlessEngine()) {
      argv.add("--userns=keep-id");
    }
    add(argv, "--user", start.owner().words());
    add(argv, "--umask", String.format("%04o", start.umask()));
    for (ContainerTerms.Mount mount : start.mounts()) {
      add(
          argv,
          "--volume",
          mount.source() + ":" + mount.target() + (mount.readOnly() ? ":ro" : ":rw"));
    }
    start.devices().nvidia().forEach(uuid -> add(argv, "--device", "nvidia.com/gpu=" + uuid));
  }

  @Override
  void addImage(List<String> argv, ContainerStartSpec start) {
    if (start.terms().isPath()) {
      argv.add("--rootfs");
    }
    super.addImage(argv, start);
  }
}
