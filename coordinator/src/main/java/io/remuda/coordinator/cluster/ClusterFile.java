package io.remuda.coordinator.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The coordinators of a cluster and where their state is, as {@code cluster.yaml} has them, the
 * same on each of them. A coordinator uses three ports in a row: for HTTP, for agents, and for the
 * other coordinators.
 *
 * @param store address of the database, as JDBC has it
 * @param members in the order of the file
 */
public record ClusterFile(String store, List<Member> members) {

  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^:\\[\\]\\s]+)):(\\d{1,5})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final int LAST_PORT = 65_535;
  private static final int LEAST_MEMBERS = 3;
  private static final int MOST_MEMBERS = 9;

  /**
   * A coordinator.
   *
   * @param host name or address by which all others reach it
   * @param port of its HTTP interface
   */
  public record Member(String name, String host, int port) {

    /** Returns {@code HOST:PORT} of its HTTP interface. */
    public String rest() {
      return at(port);
    }

    /** Returns {@code HOST:PORT} that agents dial. */
    public String agents() {
      return at(port + 1);
    }

    /** Returns the port for the other coordinators. */
    public int coordinatorPort() {
      return port + 2;
    }

    private String at(int number) {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + number;
    }
  }

  public ClusterFile {
    members = List.copyOf(members);
  }

  /** Returns how many members are a majority. */
  public int majority() {
    return members.size() / 2 + 1;
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or does not describe a cluster; the message says what
   *     is wrong with it
   */
  public static ClusterFile read(Path file) throws IOException {
    try {
      return parse(Files.readString(file));
    } catch (NoSuchFileException none) {
      throw new IOException(file + " is missing: remuda cluster init writes one", none);
    } catch (YamlEngineException | IllegalArgumentException fault) {
      throw new IOException(file + ": " + fault.getMessage(), fault);
    }
  }

  /**
   * Parses the text of a file.
   *
   * @throws IllegalArgumentException if it does not describe a cluster
   */
  static ClusterFile parse(String text) {
    Object root =
        new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build()).loadFromString(text);
    if (!(root instanceof Map<?, ?> fields)) {
      throw new IllegalArgumentException("a cluster's file has the keys store and members");
    }
    for (Object key : fields.keySet()) {
      if (!Set.of("store", "members").contains(key)) {
        throw new IllegalArgumentException("unknown key '" + key + "': there are store, members");
      }
    }
    if (!(fields.get("store") instanceof String store)) {
      throw new IllegalArgumentException(
          "store is missing: the address of the database, as jdbc:postgresql://HOST/NAME?user=USER");
    }
    return of(store, members(fields.get("members")));
  }

  /**
   * Returns a cluster of these members.
   *
   * @throws IllegalArgumentException if they are too few, an even number, or share an address
   */
  public static ClusterFile of(String store, List<Member> members) {
    int count = members.size();
    if (count < LEAST_MEMBERS || count > MOST_MEMBERS || count % 2 == 0) {
      throw new IllegalArgumentException(
          "a cluster has 3, 5, 7 or 9 coordinators, got "
              + count
              + ": more than half of them must be there, so an even number bears no more losses"
              + " than one less, and two bear none; a single one is remuda serve without --cluster");
    }
    Set<String> names = new HashSet<>();
    Set<String> ports = new HashSet<>();
    for (Member member : members) {
      boolean alone = names.add(member.name());
      for (int port = member.port(); port <= member.coordinatorPort(); port++) {
        alone &= ports.add(member.at(port));
      }
      if (!alone) {
        throw new IllegalArgumentException(
            "members." + member.name() + ": its name or one of its three ports is another's");
      }
    }
    return new ClusterFile(store, members);
  }

  private static List<Member> members(Object value) {
    if (!(value instanceof Map<?, ?> entries)) {
      throw new IllegalArgumentException("members is missing: NAME: HOST:PORT for each of them");
    }
    List<Member> members = new ArrayList<>();
    entries.forEach((name, address) -> members.add(member(String.valueOf(name), address)));
    return members;
  }

  private static Member member(String name, Object address) {
    return member(name, String.valueOf(address));
  }

  /**
   * Returns a member.
   *
   * @param address {@code HOST:PORT} of its HTTP interface
   * @throws IllegalArgumentException if the name or the address is none
   */
  public static Member member(String name, String address) {
    Matcher matcher = ADDRESS.matcher(address);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "members: a name is 1 to 63 letters, digits, '.', '_' or '-', got '" + name + "'");
    }
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "members." + name + ": an address is HOST:PORT, got '" + address + "'");
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port < 1 || port + 2 > LAST_PORT) {
      throw new IllegalArgumentException(
          "members." + name + ": a port is 1 to " + (LAST_PORT - 2) + ", got " + port);
    }
    return new Member(name, matcher.group(1) != null ? matcher.group(1) : matcher.group(2), port);
  }

  /** Returns the text of the file. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        "# The coordinators of a cluster: the same file on each of them. Each uses the port\n");
    text.append(
        "# that stands here for HTTP, the next one for agents, and the one after it for the\n");
    text.append("# other coordinators.\n");
    text.append("store: ").append(quoted(store)).append("\nmembers:\n");
    for (Member member : members) {
      text.append("  ").append(member.name()).append(": ").append(quoted(member.rest()));
      text.append('\n');
    }
    return text.toString();
  }

  private static String quoted(String value) {
    return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
