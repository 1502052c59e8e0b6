package io.remuda.coordinator.settings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Checks that an address is free before the programs that need it are started. */
public final class FreeAddressCheck {

  private FreeAddressCheck() {}

  /**
   * Checks that it is possible to listen at an address.
   *
   * @param what the program or option that needs the address
   * @param todo what the user can do
   * @throws IOException if it is not possible; the message has the cause and {@code todo}
   */
  public static void check(InetSocketAddress address, String what, String todo) throws IOException {
    if (address.isUnresolved()) {
      throw new IOException(what + ": no such host: " + address.getHostString());
    }
    try {
      bind(address);
    } catch (IOException taken) {
      throw new IOException(
          what
              + ": cannot listen on "
              + address.getAddress().getHostAddress()
              + ":"
              + address.getPort()
              + " ("
              + taken.getMessage()
              + "): "
              + todo,
          taken);
    }
  }

  /** Returns whether it is possible to listen at an address now. */
  public static boolean isFree(InetSocketAddress address) {
    try {
      bind(address);
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private static void bind(InetSocketAddress address) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    }
  }
}
