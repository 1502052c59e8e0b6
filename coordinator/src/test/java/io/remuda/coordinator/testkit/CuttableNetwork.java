package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Namespaces that stand for another machine: it has a name of its own, and reaches this side at one
 * address until it is cut off. Needs root and {@code ip}. One for each test process; what a killed
 * one has left is removed by the next.
 */
public final class CuttableNetwork implements AutoCloseable {

  private static final String PREFIX = "rf";
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final int SECONDS = 10;

  /** How it is cut off. */
  public enum Cut {
    /** Packets vanish without an error. */
    SILENT,
    /** The other side loses its carrier, too. */
    UNPLUGGED
  }

  private final String namespace;
  private final String bridge;
  private final String port;
  private final String subnet;

  private CuttableNetwork(long process) {
    namespace = PREFIX + process;
    bridge = namespace + "h";
    port = namespace + "w";
    subnet = "10.177." + (60 + process % 190) + ".";
  }

  /**
   * Makes one.
   *
   * @throws IOException saying why there can be none here
   */
  public static CuttableNetwork open() throws IOException {
    removeLeft();
    CuttableNetwork network = new CuttableNetwork(ProcessHandle.current().pid());
    try {
      network.build();
    } catch (IOException fault) {
      network.close();
      throw fault;
    }
    return network;
  }

  private void build() throws IOException {
    ip("netns add " + namespace);
    ip("link add " + bridge + " type bridge");
    ip("addr add " + address() + "/30 dev " + bridge);
    ip("link set " + bridge + " up");
    ip("link add " + port + " type veth peer name eth netns " + namespace);
    ip("link set " + port + " master " + bridge + " up");
    ip("-n " + namespace + " addr add " + subnet + "2/30 dev eth");
    ip("-n " + namespace + " link set eth up");
    ip("-n " + namespace + " link set lo up");
  }

  /** The address of this side, for a server to listen on. */
  public String address() {
    return subnet + "1";
  }

  /** What to put before a command so that it runs on the other side, as the same process. */
  public List<String> inside() {
    String named = "echo " + namespace + " > /proc/sys/kernel/hostname && exec \"$@\"";
    return List.of(
        "ip", "netns", "exec", namespace, "unshare", "--uts", "sh", "-c", named, "inside");
  }

  public void cut(Cut how) throws IOException {
    ip("link set " + port + (how == Cut.SILENT ? " nomaster" : " down"));
  }

  /** Undoes any cut. */
  public void join() throws IOException {
    ip("link set " + port + " master " + bridge + " up");
  }

  @Override
  public void close() {
    remove(namespace);
  }

  private static void removeLeft() throws IOException {
    if (!Files.isDirectory(NAMESPACES)) {
      return;
    }
    try (DirectoryStream<Path> left = Files.newDirectoryStream(NAMESPACES, PREFIX + "[0-9]*")) {
      for (Path namespace : left) {
        String name = namespace.getFileName().toString();
        String process = name.substring(PREFIX.length());
        if (process.matches("\\d+") && Files.notExists(Path.of("/proc", process))) {
          remove(name);
        }
      }
    }
  }

  /** Its end of the link goes with the namespace once nothing runs there; ours is removed now. */
  private static void remove(String namespace) {
    for (String what :
        List.of(
            "link del " + namespace + "w",
            "link del " + namespace + "h",
            "netns del " + namespace)) {
      tryIp(what);
    }
  }

  /** Removes something; what was not built to its end, or is removed already, is left out. */
  static void tryIp(String arguments) {
    try {
      ip(arguments);
    } catch (IOException notThere) {
      // see above
    }
  }

  static void ip(String arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes()).strip();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("ip " + arguments + ": " + said);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException(stop);
    }
  }
}
