package io.remuda.agent.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs that begin a request and do not end it. */
class TrainingSlowHeadsTest extends WithTrainings {

  private final List<Socket> slow = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket each : slow) {
      each.close();
    }
  }

  private void begins(int requests) throws IOException {
    for (int each = 0; each < requests; each++) {
      Socket socket = new Socket("127.0.0.1", old("/").getPort());
      socket.setSoTimeout(1);
      slow.add(socket);
      socket.getOutputStream().write("GET /has_to".getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void a_training_is_answered_while_many_others_have_only_begun_to_ask() throws Exception {
    begins(45);
    assertEquals("0", question());
    for (Socket each : slow) { // none of them had to go first
      assertThrows(SocketTimeoutException.class, () -> each.getInputStream().read());
    }
  }

  @Test
  void a_request_that_does_not_go_on_is_given_up() throws Exception {
    begins(1);
    slow.get(0).setSoTimeout(50_000);
    assertEquals(-1, slow.get(0).getInputStream().read());
  }
}
