package io.remuda.agent.protocol;

import java.util.Objects;
import java.util.Set;

/**
 * How other nodes reach a node.
 *
 * @param address IP address or host name
 * @param firstPort lowest TCP port that its gangs may use
 * @param lastPort highest such port
 */
public record NodeAddressAndPorts(String address, int firstPort, int lastPort) {

  /** That of IPv6 is also written as {@link java.net.InetAddress} does. */
  private static final Set<String> LOOPBACKS = Set.of("localhost", "::1", "0:0:0:0:0:0:0:1");

  private static final int HIGHEST = 65_535;

  /** Of an agent that tells nothing. */
  public static final NodeAddressAndPorts LOOPBACK =
      new NodeAddressAndPorts("127.0.0.1", 20_000, 29_999);

  public NodeAddressAndPorts {
    Objects.requireNonNull(address, "address");
    if (firstPort < 1 || lastPort > HIGHEST || firstPort > lastPort) {
      throw new IllegalArgumentException(
          "ports must be FIRST-LAST within 1 to "
              + HIGHEST
              + ", got "
              + firstPort
              + "-"
              + lastPort);
    }
  }

  /** Returns the number of its ports. */
  public int ports() {
    return lastPort - firstPort + 1;
  }

  /** Returns whether the address is that of its own machine only. */
  public boolean isLoopback() {
    return address.startsWith("127.") || LOOPBACKS.contains(address);
  }

  /** Returns a copy with another address. */
  public NodeAddressAndPorts at(String other) {
    return new NodeAddressAndPorts(other, firstPort, lastPort);
  }
}
