package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OwnInterfacesTest {
  private static final Map<String, String> LOOPBACK =
      Map.of("GLOO_SOCKET_IFNAME", "lo", "NCCL_SOCKET_IFNAME", "=lo");

  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  private InetAddress slow(String name) throws IOException {
    asked.incrementAndGet();
    try {
      answer.await();
    } catch (InterruptedException stop) {
      throw new IOException(stop);
    }
    return InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1});
  }

  @Test
  void an_address_in_numbers_is_looked_up_nowhere() {
    OwnInterfaces interfaces = new OwnInterfaces("127.0.0.1", this::slow);
    assertEquals(LOOPBACK, interfaces.variables("127.0.0.1"));
    assertEquals(Map.of(), interfaces.variables("192.0.2.7"));
    assertEquals(0, asked.get());
  }

  @Test
  void a_name_server_that_does_not_answer_stops_nobody() {
    OwnInterfaces interfaces = new OwnInterfaces("node7.lab", this::slow);
    assertEquals(Map.of(), interfaces.variables("node7.lab"));
    interfaces.await(10);
    answer.countDown();
    assertEquals(Map.of(), interfaces.variables("node7.lab"), "as those before");
  }

  @Test
  void the_name_of_the_agent_is_looked_up_once() {
    OwnInterfaces interfaces = new OwnInterfaces("node7.lab", this::slow);
    answer.countDown();
    interfaces.await(10_000);
    assertEquals(LOOPBACK, interfaces.variables("node7.lab"));
    assertEquals(LOOPBACK, interfaces.variables("node7.lab"));
    assertEquals(1, asked.get());
  }

  @Test
  void names_of_others_and_unknown_names_have_no_interface() {
    assertEquals(Map.of(), new OwnInterfaces("").variables("node8.lab"));
    OwnInterfaces unknown =
        new OwnInterfaces(
            "node7.lab",
            name -> {
              throw new IOException("unknown");
            });
    unknown.await(10_000);
    assertEquals(Map.of(), unknown.variables("node7.lab"));
  }
}
