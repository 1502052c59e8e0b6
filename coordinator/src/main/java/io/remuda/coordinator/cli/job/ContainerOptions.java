package io.remuda.coordinator.cli.job;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.aichor.ManifestSubmission;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that put a job into a container, which become the fields of the HTTP interface. */
final class ContainerOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--container",
      paramLabel = "IMAGE",
      description =
          "run it in a container of this image, or of a root file system's folder as ./rootfs"
              + " (docs/containers.md)")
  private String image;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description = "podman, docker, apptainer or bubblewrap (default: what the node has)")
  private String engine;

  @Option(
      names = "--mount",
      paramLabel = "SRC[:DST[:ro]]",
      description = "a file or folder that the container sees; may be repeated")
  private List<String> mounts = new ArrayList<>();

  @Option(
      names = "--port",
      paramLabel = "HOST:CONTAINER",
      description = "a port of the node that leads to the container; may be repeated")
  private List<String> ports = new ArrayList<>();

  @Option(
      names = "--shm-size",
      paramLabel = "SIZE",
      description = "size of /dev/shm in the container, such as 8GiB")
  private String shmSize;

  @Option(
      names = "--cpu-limit",
      paramLabel = "C",
      description = "cores that the container uses at most")
  private Double cpuLimit;

  @Option(names = "--pull", description = "let the engine fetch an image that the node lacks")
  private boolean pull;

  /** Returns whether and how the members of a manifest run in containers of its own image. */
  ManifestSubmission.Containers ofManifest() {
    boolean any = engine != null || !mounts.isEmpty() || !ports.isEmpty() || pull;
    return any && image == null
        ? new ManifestSubmission.Containers(true, engine)
        : ManifestSubmission.Containers.NONE;
  }

  /** Uses an image unless one was given. */
  void use(Object other) {
    image = image == null ? (String) other : image;
  }

  /**
   * Returns the fields that were given.
   *
   * @throws ParameterException if there is no container for them
   */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    JobOptions.put(fields, "container", isRelative(image) ? absolute(image) : image);
    JobOptions.put(fields, "engine", engine);
    JobOptions.put(
        fields, "mounts", mounts.isEmpty() ? null : mounts.stream().map(this::mount).toList());
    JobOptions.put(fields, "ports", ports.isEmpty() ? null : ports);
    JobOptions.put(fields, "shmSize", shmSize);
    JobOptions.put(fields, "cpuLimit", cpuLimit);
    JobOptions.put(fields, "pull", pull ? true : null);
    if (image == null && !fields.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--engine, --mount, --port, --shm-size, --cpu-limit and --pull are of containers: which"
              + " --container?");
    }
    return fields;
  }

  private static boolean isRelative(String path) {
    return path != null && (path.startsWith("./") || path.startsWith("../"));
  }

  private String absolute(String path) {
    return JobOptions.absolute(Path.of(path), Caller.of(spec));
  }

  /** Returns a mount with the absolute path of its source, and of its target if that is equal. */
  private String mount(String text) {
    int colon = text.indexOf(':');
    String source = colon < 0 ? text : text.substring(0, colon);
    return source.isEmpty() || source.startsWith("/")
        ? text
        : absolute(source) + (colon < 0 ? "" : text.substring(colon));
  }
}
