package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.List;
import java.util.Optional;

/**
 * Docker. Its containers are processes of a daemon, not of the task: the agent has to remove them.
 */
final class DockerEngine extends OciEngine {

  @Override
  public String name() {
    return "docker";
  }

  @Override
  public boolean suits(ContainerTerms terms) {
    return !terms.isPath();
  }

  @Override
  public Optional<String> refusal(ContainerTerms terms, LentDevices devices) {
    return terms.isPath()
        ? Optional.of("docker cannot run a root file system's folder: " + terms.image())
        : Optional.empty();
  }

  @Override
  void addOwn(List<String> argv, ContainerStartSpec start) {
    argv.add("--log-driver=none"); // the task's own output files are enough
    argv.add("--init");
    if (!start.owner().rootlessEngine()) { // else root inside is this user
      add(argv, "--user", start.owner().words());
    }
    for (ContainerTerms.Mount mount : start.mounts()) { // --volume would make missing folders
      String ending = mount.readOnly() ? ",readonly" : "";
      add(
          argv,
          "--mount",
          "type=bind,source=" + mount.source() + ",target=" + mount.target() + ending);
    }
    if (!start.devices().nvidia().isEmpty()) {
      add(argv, "--gpus", "\"device=" + String.join(",", start.devices().nvidia()) + "\"");
    }
  }
}
