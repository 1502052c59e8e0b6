package io.remuda.coordinator.cli.server;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code HOST[:PORT]}; IPv6 addresses stand in brackets. */
public final class ListenAddress {

  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^:\\[\\]]+))(?::(\\d{1,5}))?");
  private static final int LAST_PORT = 65_535;

  private ListenAddress() {}

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if the text is malformed or nodes cannot connect to it
   */
  public static InetSocketAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("--listen must be HOST or HOST:PORT, got '" + text + "'");
    }
    String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    int port = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
    if (port > LAST_PORT) {
      throw new IllegalArgumentException(
          "--listen: a port is at most " + LAST_PORT + ", got " + port);
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (!address.isUnresolved() && address.getAddress().isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "--listen "
              + host
              + " is not an address that nodes can connect to: give this machine's own");
    }
    return address;
  }
}
