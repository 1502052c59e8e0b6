package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientSocketsTest {
  private static final int END = -1;

  @Test
  void a_client_whose_request_is_under_way_sees_its_connection_end_and_no_answer()
      throws Exception {
    ClientSockets sockets = new ClientSockets();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      sockets.afterConnect(accepted);
      InetSocketAddress farEnd = (InetSocketAddress) accepted.getRemoteSocketAddress();
      sockets.asked(farEnd);
      sockets.abort(farEnd);
      assertEquals(END, client.getInputStream().read());
    }
  }
}
