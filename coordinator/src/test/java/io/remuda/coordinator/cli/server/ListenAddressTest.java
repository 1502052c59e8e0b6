package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, 0",
    "127.0.0.1:7000, 127.0.0.1, 7000",
    "[::1], 0:0:0:0:0:0:0:1, 0",
    "[::1]:65535, 0:0:0:0:0:0:0:1, 65535"
  })
  void an_address_has_an_optional_port(String text, String host, int port) {
    InetSocketAddress address = ListenAddress.parse(text);
    assertEquals(host, address.getAddress().getHostAddress());
    assertEquals(port, address.getPort());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":7000", "host:", "host:port", "::1", "[::1", "a:b:1", "h:123456"})
  void another_form_is_refused_with_its_text(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text)).getMessage();
    assertTrue(message.contains("--listen") && message.contains("'" + text + "'"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "0.0.0.0:7000", "[::]"})
  void an_address_that_no_node_could_dial_is_refused(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text)).getMessage();
    assertTrue(message.startsWith("--listen "), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:65536", "127.0.0.1:99999"})
  void a_port_beyond_the_last_is_refused(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text)).getMessage();
    assertTrue(message.contains(text.substring(text.indexOf(':') + 1)), message);
  }
}
