package io.remuda.coordinator.cli.aichor;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.jobfile.BadJobFileException;
import io.remuda.coordinator.cli.jobfile.JobFileFaults;
import io.remuda.coordinator.cli.jobfile.JobFileReader;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.rest.request.JobRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A manifest as a submission of one job; docs/aichor.md says what becomes of each field. Its
 * folders for input and output are below the manifest's own folder.
 *
 * @param request the job, as the HTTP interface takes it
 * @param folders that its variables name, to be made before it is submitted
 * @param build command that builds its image first; null if none is to be built
 * @param unused what the manifest says that has no meaning here, as paths
 * @param variables names of the variables that its members get besides those of the shell
 */
public record ManifestSubmission(
    Map<String, Object> request,
    List<Path> folders,
    List<String> build,
    List<String> unused,
    List<String> variables) {

  private static final int GIT_SECONDS = 5;
  private static final int LONGEST_NAME = 200;

  /**
   * Whether the members run in containers of the manifest's image.
   *
   * @param wanted whether they do
   * @param engine the one that was asked for, or null
   */
  public record Containers(boolean wanted, String engine) {
    /** They run on the nodes as they are. */
    public static final Containers NONE = new Containers(false, null);
  }

  /**
   * Reads a parsed file.
   *
   * @return empty if it is no manifest
   * @throws BadJobFileException with all faults of the manifest
   */
  public static Optional<ManifestSubmission> of(
      Path file,
      Optional<Node> root,
      Caller caller,
      SubmittingShellEnvironment shell,
      Containers containers,
      JobFileFaults faults)
      throws BadJobFileException {
    if (root.isEmpty() || !ManifestReader.isManifest(root.get())) {
      return Optional.empty();
    }
    Manifest manifest = ManifestReader.read(root.get(), faults);
    faults.check();
    Path folder = JobFileReader.folderOf(file, caller);
    String id = UUID.randomUUID().toString();
    Path name = folder.getFileName();
    Map<String, Object> request =
        request(manifest, folder, name == null ? "aichor" : name.toString(), containers, shell);
    Map<String, String> variables = new LinkedHashMap<>();
    List<Path> folders = folders(folder, id, variables);
    variables.put("AICHOR_EXPERIMENT_ID", id);
    variables.put(
        "AICHOR_EXPERIMENT_MESSAGE",
        lastCommit(folder, caller).orElse(String.valueOf(request.get("name"))));
    Map<String, String> env = new LinkedHashMap<>(shell.environment());
    env.putAll(manifest.env());
    env.putAll(variables);
    request.put("env", env);
    List<String> own = new ArrayList<>(manifest.env().keySet());
    own.addAll(variables.keySet());
    try {
      JobRequest.of(request).toNewJob("", List.of());
    } catch (IllegalArgumentException wrong) {
      faults.add(root.get(), wrong.getMessage());
    }
    faults.check();
    List<String> build =
        containers.wanted()
            ? ManifestImageBuilder.command(
                    manifest, folder, containers.engine(), shell.environment().get("PATH"))
                .orElse(null)
            : null;
    return Optional.of(
        new ManifestSubmission(
            request, folders, build, unused(manifest, containers.wanted(), build != null), own));
  }

  /** Returns what has no meaning here. */
  private static List<String> unused(Manifest manifest, boolean container, boolean built) {
    List<String> unused = new ArrayList<>();
    if (!built) {
      unused.add("builder");
    }
    if (!container) {
      unused.add("spec.image");
      for (Manifest.MemberType type : manifest.types()) {
        if (type.resources().shmSizeGb() > 0) {
          unused.add("spec.types." + type.name() + ".resources.shmSizeGB");
        }
      }
    }
    unused.addAll(manifest.unused());
    return unused;
  }

  private static List<Path> folders(Path folder, String id, Map<String, String> variables) {
    Path input = folder.resolve("aichor").resolve("input");
    Path output = folder.resolve("aichor").resolve(id).resolve("output");
    Path board = folder.resolve("aichor").resolve(id).resolve("tensorboard");
    variables.put("AICHOR_INPUT_PATH", input.toString());
    variables.put("AICHOR_OUTPUT_PATH", output.toString());
    variables.put("AICHOR_TENSORBOARD_PATH", board.toString());
    variables.put("AICHOR_LOGS_PATH", board.toString());
    return List.of(input, output, board);
  }

  /** Returns the job without its environment. */
  static Map<String, Object> request(
      Manifest manifest,
      Path folder,
      String name,
      Containers containers,
      SubmittingShellEnvironment shell) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("name", name.substring(0, Math.min(LONGEST_NAME, name.length())));
    request.put("shell", manifest.command());
    request.put("workdir", folder.toString());
    if (shell.umask() != null) {
      request.put("umask", shell.umask());
    }
    Map<String, Object> roles = new LinkedHashMap<>();
    for (Manifest.MemberType type : manifest.types()) {
      roles.put(type.name(), role(type, manifest.operator(), containers.wanted()));
    }
    Map<String, Object> gang = new LinkedHashMap<>();
    gang.put("failure", "fail");
    gang.put("together", manifest.operator().startsTogether());
    gang.put("roles", roles);
    request.put("gang", gang);
    if (containers.wanted()) {
      request.put("container", manifest.image());
    }
    if (manifest.timeout() != null) {
      request.put("jobTimeLimit", manifest.timeout());
    }
    return request;
  }

  private static Map<String, Object> role(
      Manifest.MemberType type, Manifest.Operator operator, boolean container) {
    Map<String, Object> role = new LinkedHashMap<>();
    role.put("count", type.count());
    if (operator == Manifest.Operator.JOBSET) {
      role.put("completions", type.completions());
      if (type.parallelism() > 0) {
        role.put("parallelism", type.parallelism());
      }
    }
    role.put("cpus", type.resources().cpus());
    role.put("mem", type.resources().memory());
    role.put("gpus", type.resources().gpus());
    if (type.resources().gpus() > 0 && type.resources().gpuModel() != null) {
      role.put("gpuModel", type.resources().gpuModel());
    }
    if (container) {
      role.put("cpuLimit", type.resources().cpus() * type.resources().cpuLimitRatio());
      if (type.resources().shmSizeGb() > 0) {
        role.put("shmSize", ResourcesReader.gigabytes(type.resources().shmSizeGb()));
      }
    }
    return role;
  }

  /**
   * Builds the image, if there is one to build, and makes the folders for input and output.
   *
   * @param caller whose engine is used
   * @throws IOException if one of it fails; what an engine says is on stderr
   */
  public void prepare(Caller caller) throws IOException, InterruptedException {
    if (build != null) {
      ManifestImageBuilder.build(build, Path.of((String) request.get("workdir")), caller);
    }
    for (Path folder : folders) {
      Files.createDirectories(folder);
    }
  }

  /** Returns the subject of the last commit of the folder's repository. */
  private static Optional<String> lastCommit(Path folder, Caller caller) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder("git", "-C", folder.toString(), "log", "-1", "--format=%s")
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      caller.passTo(builder);
      Process git = builder.start();
      if (!git.waitFor(GIT_SECONDS, TimeUnit.SECONDS)) { // a subject fits into its pipe
        git.destroyForcibly();
        return Optional.empty();
      }
      String subject =
          new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.exitValue() == 0 && !subject.isEmpty() ? Optional.of(subject) : Optional.empty();
    } catch (IOException noGit) {
      return Optional.empty();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
