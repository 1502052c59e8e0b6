package io.remuda.coordinator.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An image of busybox alone, made without a registry, as a folder for bubblewrap and in a storage
 * of its own for podman. Nothing of the user's or the machine's storage is touched.
 */
public final class TestContainers implements AutoCloseable {

  /** The name of the image. */
  public static final String IMAGE = "localhost/remuda-test:1";

  private static final List<String> COMMANDS =
      List.of("sh", "sleep", "cat", "cp", "mv", "echo", "touch", "tail", "id", "ls", "kill", "dd");

  private final Path folder;
  private final Path root;

  /** Makes the image's folder below another one; skips the test if there is no static busybox. */
  public TestContainers(Path folder) throws IOException {
    this.folder = folder;
    this.root = Files.createDirectories(folder.resolve("rootfs"));
    Path busybox = program("busybox", "busybox-static").toRealPath();
    for (String inside : List.of("bin", "tmp", "proc", "dev", "etc")) {
      Files.createDirectories(root.resolve(inside));
    }
    Files.copy(busybox, root.resolve("bin/busybox"));
    for (String command : COMMANDS) {
      Files.createSymbolicLink(root.resolve("bin").resolve(command), Path.of("busybox"));
    }
    Files.writeString(
        folder.resolve("containers.conf"),
        """
        # Without networks, crun and systemd, which a machine for tests may lack; and without more
        # files and processes than a user of such a machine may have.
        [containers]
        netns = "host"
        default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
        [engine]
        cgroup_manager = "cgroupfs"
        events_logger = "none"
        tmp_dir = "%s"
        runtime = "%s"
        """
            .formatted(folder.resolve("tmp"), find("runc").isPresent() ? "runc" : "crun"));
    Files.writeString(
        folder.resolve("storage.conf"),
        """
        [storage]
        driver = "vfs"
        graphroot = "%s"
        runroot = "%s"
        """
            .formatted(folder.resolve("graph"), folder.resolve("run")));
  }

  private static Optional<Path> find(String program) {
    return Stream.of((System.getenv("PATH") + ":/usr/sbin:/sbin").split(":"))
        .map(at -> Path.of(at, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path program(String program, String debian) {
    Optional<Path> found = find(program);
    assumeTrue(found.isPresent(), program + " is missing: apt-get install " + debian);
    return found.get();
  }

  /** The folder of the image. */
  public Path root() {
    return root;
  }

  /** What the processes of a service need in their environment to use this storage. */
  public Map<String, String> environment() {
    return Map.of(
        "CONTAINERS_CONF", folder.resolve("containers.conf").toString(),
        "CONTAINERS_STORAGE_CONF", folder.resolve("storage.conf").toString());
  }

  /** Makes the image in podman's storage; skips the test if podman can run no container here. */
  public void makeImageOnce() throws IOException, InterruptedException {
    program("podman", "podman");
    if (podman("image", "exists", IMAGE).code() == 0) {
      return;
    }
    Path archive = folder.resolve("image.tar");
    run(Map.of(), "tar", "-C", root.toString(), "-cf", archive.toString(), ".");
    Ran imported = podman("import", archive.toString(), IMAGE);
    Ran tried = podman("run", "--rm", IMAGE, "/bin/echo", "runs");
    assumeTrue(
        tried.code() == 0, "podman can run no container here: " + imported.out() + tried.out());
  }

  /** Skips the test if bubblewrap can run no container here. */
  public void needBubblewrap() throws IOException, InterruptedException {
    String bwrap = program("bwrap", "bubblewrap").toString();
    Ran tried = run(Map.of(), bwrap, "--bind", root.toString(), "/", "/bin/echo", "runs");
    assumeTrue(tried.code() == 0, "bubblewrap can run no container here: " + tried.out());
  }

  /** How a program ended, and all that it printed. */
  public record Ran(int code, String out) {}

  /** Runs podman on this storage. */
  public Ran podman(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("podman"));
    words.addAll(List.of(arguments));
    return run(environment(), words.toArray(String[]::new));
  }

  private Ran run(Map<String, String> more, String... words)
      throws IOException, InterruptedException {
    File out = Files.createTempFile(folder, "ran", ".txt").toFile();
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().putAll(new HashMap<>(more));
    int code = builder.redirectOutput(out).start().waitFor();
    return new Ran(code, Files.readString(out.toPath()).strip());
  }

  /** What podman still has: the names of all containers, running or not. */
  public String containers() throws IOException, InterruptedException {
    return podman("ps", "--all", "--format", "{{.Names}}").out();
  }

  /** Removes the storage, of which parts may belong to other ids. */
  @Override
  public void close() throws Exception {
    if (find("podman").isPresent()) {
      podman("system", "reset", "--force");
    }
  }
}
