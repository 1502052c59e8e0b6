package io.remuda.coordinator.cli.remote;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.Distribution;
import io.remuda.coordinator.client.NodeJoinWait;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** One agent on another machine: its release is copied there, and it is started and stopped. */
final class RemoteAgent {

  private static final Duration LONGEST_JOIN = Duration.ofSeconds(90);
  private static final int NEEDED_JAVA = 17;
  private static final byte[] NOTHING = new byte[0];

  /**
   * What is started.
   *
   * @param distribution this release
   * @param manifest of the release
   * @param access without the owner's token
   * @param options of the agent
   * @param name of the node; empty for the name of its machine
   * @param home the state folder here, to see whether the node joins
   */
  record Parts(
      Distribution distribution,
      ReleaseManifest manifest,
      AccessFile access,
      List<String> options,
      Optional<String> name,
      Path home) {}

  private final RemoteShell shell;
  private final Parts parts;

  RemoteAgent(RemoteShell shell, Parts parts) {
    this.shell = shell;
    this.parts = parts;
  }

  /** Copies what is missing, starts the agent and waits until it has joined; returns a line. */
  String start() throws IOException, InterruptedException {
    String there = shell.run(RemoteScripts.LOOK, List.of(parts.manifest().id()), NOTHING);
    check(there);
    String copied = isPresent(there) ? "the release was there" : copy(there);
    List<String> words = new ArrayList<>(List.of(parts.manifest().id(), parts.access().cluster()));
    words.addAll(parts.options());
    String json = parts.access().text();
    String[] started =
        shell
            .run(RemoteScripts.START, words, json.getBytes(StandardCharsets.UTF_8))
            .strip()
            .split(" ", 3);
    String node = parts.name().orElse(after(there, "node "));
    awaitJoin(node);
    return String.format(
        "node %s has joined (%s; %s process %s, log %s)",
        node,
        copied,
        started[0].equals("already") ? "it ran already," : "agent",
        started[1],
        started[2]);
  }

  /** Ends the agent; returns a line. */
  String stop() throws IOException, InterruptedException {
    String said = shell.run(RemoteScripts.STOP, List.of(parts.access().cluster()), NOTHING).strip();
    return said.equals("none") ? "no agent of this cluster runs there" : said;
  }

  private static boolean isPresent(String there) {
    return there.lines().anyMatch("present"::equals);
  }

  private static String after(String there, String word) {
    return there
        .lines()
        .filter(line -> line.startsWith(word))
        .map(line -> line.substring(word.length()))
        .findFirst()
        .orElse("");
  }

  private void check(String there) throws IOException {
    String machine = after(there, "machine ");
    if (!machine.equals("Linux x86_64")) {
      throw new IOException("it is " + machine + ", and this release is for Linux x86_64");
    }
    String lacks = after(there, "lacks ");
    if (!lacks.isEmpty()) {
      throw new IOException("it has no " + lacks);
    }
    String java = after(there, "java ");
    boolean own = Files.isDirectory(parts.distribution().home().resolve("java"));
    if (!own && (java.isEmpty() || Integer.parseInt(java) < NEEDED_JAVA)) {
      throw new IOException(
          "it has "
              + (java.isEmpty() ? "no Java" : "Java " + java)
              + ": start this from the release with its own Java, or install Java 17 or newer"
              + " there");
    }
  }

  private String copy(String there) throws IOException, InterruptedException {
    String have =
        there
            .lines()
            .filter(line -> line.startsWith("have "))
            .map(line -> line.substring("have ".length()))
            .collect(Collectors.joining("\n"));
    Map<String, String> links = parts.manifest().among(have);
    List<String> files =
        parts.manifest().hashes().keySet().stream()
            .filter(path -> !links.containsKey(path))
            .toList();
    Path notes = Files.createTempDirectory("remuda-ssh");
    try {
      Files.writeString(notes.resolve("manifest"), parts.manifest().text());
      String lines =
          links.entrySet().stream()
              .map(one -> one.getValue() + " " + one.getKey() + "\n")
              .collect(Collectors.joining());
      Files.writeString(notes.resolve("links"), lines);
      Path release = parts.distribution().home();
      List<String> tar =
          new ArrayList<>(List.of("tar", "-C", notes.toString(), "-cf", "-", "manifest", "links"));
      tar.addAll(List.of("-C", release.toString()));
      tar.addAll(files);
      shell.pipe(tar, release, RemoteScripts.COPY, List.of(parts.manifest().id()));
    } finally {
      for (String name : List.of("manifest", "links", "")) {
        Files.deleteIfExists(notes.resolve(name));
      }
    }
    return files.size() + " of " + parts.manifest().hashes().size() + " files copied";
  }

  private void awaitJoin(String node) throws IOException, InterruptedException {
    if (!NodeJoinWait.await(RestClient.of(parts.home()), node, LONGEST_JOIN)) {
      String log =
          shell
              .run(RemoteScripts.LAST_WORDS, List.of(parts.access().cluster()), NOTHING)
              .strip()
              .replace("\n", "; ");
      throw new IOException("node " + node + " does not join; its log ends with: " + log);
    }
  }
}
