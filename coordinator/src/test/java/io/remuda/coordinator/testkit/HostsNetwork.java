package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Namespaces that stand for machines on one switch, which is a bridge of this machine: each has a
 * name and an address of its own, and reaches nobody while it is cut off. Needs root and {@code
 * ip}. One for each test process; what a killed one has left is removed by the next.
 */
public final class HostsNetwork implements AutoCloseable {

  private static final String PREFIX = "rh";
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final int FIRST_HOST = 10;

  private final List<String> names;
  private final String bridge;
  private final String subnet;

  private HostsNetwork(List<String> names, long process) {
    this.names = List.copyOf(names);
    bridge = PREFIX + process + "s";
    subnet = "10.178." + (10 + process % 240) + ".";
  }

  /**
   * Makes one.
   *
   * @throws IOException saying why there can be none here
   */
  public static HostsNetwork open(List<String> names) throws IOException {
    removeLeft();
    HostsNetwork network = new HostsNetwork(names, ProcessHandle.current().pid());
    try {
      network.build();
    } catch (IOException fault) {
      network.close();
      throw fault;
    }
    return network;
  }

  private void build() throws IOException {
    CuttableNetwork.ip("link add " + bridge + " type bridge");
    CuttableNetwork.ip("addr add " + subnet + "1/24 dev " + bridge);
    CuttableNetwork.ip("link set " + bridge + " up");
    for (String name : names) {
      String namespace = namespace(name);
      CuttableNetwork.ip("netns add " + namespace);
      CuttableNetwork.ip("link add " + port(name) + " type veth peer name eth netns " + namespace);
      CuttableNetwork.ip("link set " + port(name) + " master " + bridge + " up");
      CuttableNetwork.ip("-n " + namespace + " addr add " + address(name) + "/24 dev eth");
      CuttableNetwork.ip("-n " + namespace + " link set eth up");
      CuttableNetwork.ip("-n " + namespace + " link set lo up");
    }
  }

  private String namespace(String name) {
    return bridge + names.indexOf(name);
  }

  private String port(String name) {
    return namespace(name) + "w";
  }

  /** Returns the address of a host. */
  public String address(String name) {
    return subnet + (FIRST_HOST + names.indexOf(name));
  }

  /** Returns the addresses of all hosts, and of this machine, as {@code ADDRESS/BITS}. */
  public String addresses() {
    return subnet + "0/24";
  }

  /** Returns what to put before a command so that it runs on a host, as the same process. */
  public List<String> on(String name) {
    String named = "echo " + name + " > /proc/sys/kernel/hostname && exec \"$@\"";
    return List.of(
        "ip", "netns", "exec", namespace(name), "unshare", "--uts", "sh", "-c", named, name);
  }

  /** Cuts a host off from all others and from this machine. */
  public void cut(String name, CuttableNetwork.Cut how) throws IOException {
    CuttableNetwork.ip(
        "link set " + port(name) + (how == CuttableNetwork.Cut.SILENT ? " nomaster" : " down"));
  }

  /** Keeps a host from another one: what it sends there gets an error, at once. */
  public void hide(String other, String from) throws IOException {
    CuttableNetwork.ip(
        "-n " + namespace(from) + " route replace unreachable " + address(other) + "/32");
  }

  /** Undoes {@link #hide}. */
  public void show(String other, String to) throws IOException {
    CuttableNetwork.ip("-n " + namespace(to) + " route del unreachable " + address(other) + "/32");
  }

  /** Undoes any cut. */
  public void join(String name) throws IOException {
    CuttableNetwork.ip("link set " + port(name) + " master " + bridge + " up");
  }

  @Override
  public void close() {
    for (String name : names) {
      CuttableNetwork.tryIp("link del " + port(name));
      CuttableNetwork.tryIp("netns del " + namespace(name));
    }
    CuttableNetwork.tryIp("link del " + bridge);
  }

  private static void removeLeft() throws IOException {
    if (!Files.isDirectory(NAMESPACES)) {
      return;
    }
    try (DirectoryStream<Path> left = Files.newDirectoryStream(NAMESPACES, PREFIX + "[0-9]*s*")) {
      for (Path namespace : left) {
        String name = namespace.getFileName().toString();
        String process = name.substring(PREFIX.length()).replaceFirst("s.*", "");
        if (process.matches("\\d+") && Files.notExists(Path.of("/proc", process))) {
          CuttableNetwork.tryIp("link del " + name + "w");
          CuttableNetwork.tryIp("netns del " + name);
          CuttableNetwork.tryIp("link del " + PREFIX + process + "s");
        }
      }
    }
  }
}
