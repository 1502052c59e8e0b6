package io.remuda.coordinator.cli.aichor;

import io.remuda.agent.commandline.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the image of a manifest by the engine of this machine. */
final class ManifestImageBuilder {

  private static final List<String> BUILDERS = List.of("podman", "docker");

  private ManifestImageBuilder() {}

  /**
   * Returns the command that builds the image; empty if none is to be built.
   *
   * @param engine the one that was asked for, or null
   * @param path folders of programs, as in {@code PATH}
   */
  static Optional<List<String>> command(
      Manifest manifest, Path folder, String engine, String path) {
    Manifest.Builder builder = manifest.builder();
    boolean file =
        builder.dockerfile() != null
            || Files.exists(folder.resolve(builder.context()).resolve("Dockerfile"));
    Optional<String> program =
        engine == null
            ? BUILDERS.stream().filter(name -> isIn(path, name)).findFirst()
            : Optional.of(engine).filter(BUILDERS::contains);
    if (builder.skipped() || !file || program.isEmpty()) {
      return Optional.empty();
    }
    List<String> command =
        new ArrayList<>(List.of(program.get(), "build", "--tag", manifest.image()));
    if (builder.dockerfile() != null) {
      command.addAll(List.of("--file", builder.dockerfile()));
    }
    if (builder.target() != null) {
      command.addAll(List.of("--target", builder.target()));
    }
    for (Map.Entry<String, String> argument : builder.arguments().entrySet()) {
      command.addAll(List.of("--build-arg", argument.getKey() + "=" + argument.getValue()));
    }
    command.addAll(List.of("--", builder.context()));
    return Optional.of(command);
  }

  private static boolean isIn(String path, String program) {
    for (String folder : path == null ? new String[0] : path.split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Builds an image; what the engine says goes to stderr.
   *
   * @throws IOException if the engine cannot be started, or fails
   */
  static void build(List<String> command, Path folder, Caller caller)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true);
    caller.passTo(builder);
    Process engine = builder.start();
    engine.getInputStream().transferTo(caller.err());
    int code = engine.waitFor();
    if (code != 0) {
      throw new IOException(
          String.join(" ", command.subList(0, 2)) + " ended with exit code " + code);
    }
  }
}
