package io.remuda.agent.training;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.keeper.proc.Posix;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Lines as Linux 6.1 writes them. */
class CallerUserIdTest {
  private static final String HEAD =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout"
          + " inode";

  private static String line(String local, String remote, int user, int inode) {
    return "   3: "
        + local
        + " "
        + remote
        + " 01 00000000:00000000 00:00000000 00000000  "
        + user
        + "        0 "
        + inode
        + " 1 0000000000000000 20 4 30 10 -1";
  }

  @Test
  void the_user_is_that_of_the_other_end_and_not_of_the_servers_own() {
    List<String> lines =
        List.of(
            HEAD,
            line("0100007F:1F90", "0100007F:C001", 1000, 11), // the server's end
            line("0100007F:C001", "0100007F:1F90", 1001, 12),
            line("0100007F:C002", "0100007F:1F90", 1002, 13));
    assertEquals(OptionalInt.of(1001), CallerUserId.in(lines, 0xC001, 0x1F90));
    assertEquals(OptionalInt.empty(), CallerUserId.in(lines, 0xC003, 0x1F90));
  }

  @Test
  void a_caller_may_have_a_socket_of_ipv6() {
    List<String> lines =
        List.of(
            HEAD,
            line(
                "0000000000000000FFFF00000100007F:C001",
                "0000000000000000FFFF00000100007F:1F90",
                7,
                1));
    assertEquals(OptionalInt.of(7), CallerUserId.in(lines, 0xC001, 0x1F90));
  }

  @Test
  void a_socket_that_was_closed_is_nobodys() {
    List<String> lines = List.of(HEAD, line("0100007F:C001", "0100007F:1F90", 0, 0));
    assertEquals(OptionalInt.empty(), CallerUserId.in(lines, 0xC001, 0x1F90));
  }

  @Test
  void a_real_connection_is_found_while_it_is_open() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Socket client = new Socket("127.0.0.1", server.getLocalPort());
        Socket accepted = server.accept()) {
      assertEquals(
          OptionalInt.of(Posix.getuid()),
          CallerUserId.of(accepted.getPort(), accepted.getLocalPort()));
    }
  }
}
