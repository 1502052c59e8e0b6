package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAddressAndPortsTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.0.1.1, true",
    "localhost, true",
    "::1, true",
    "10.0.0.1, false",
    "fe80::1, false",
    "n127, false"
  })
  void an_address_of_its_own_machine_only_is_known(String address, boolean loopback) {
    assertEquals(loopback, NodeAddressAndPorts.LOOPBACK.at(address).isLoopback());
  }

  @Test
  void also_as_java_writes_it() throws UnknownHostException {
    String written = InetAddress.getByName("::1").getHostAddress();
    assertEquals(true, NodeAddressAndPorts.LOOPBACK.at(written).isLoopback());
  }
}
