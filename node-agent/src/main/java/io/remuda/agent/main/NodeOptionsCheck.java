package io.remuda.agent.main;

import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.settings.GangPortRange;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.NodeConstraints;
import java.util.List;
import java.util.Map;

/** Checks what a user says about a node; all methods throw IllegalArgumentException. */
final class NodeOptionsCheck {

  private NodeOptionsCheck() {}

  /**
   * @param name of the node, or null
   */
  static void names(String name, Map<String, String> labels) {
    if (name != null && !PrintableText.isName(name)) {
      throw new IllegalArgumentException(
          "--name must be printable characters, got '" + PrintableText.of(name) + "'");
    }
    labels.forEach(
        (key, value) -> {
          if (!PrintableText.isName(key + value)) {
            throw new IllegalArgumentException(
                "--label must be printable characters, got '"
                    + PrintableText.of(key + "=" + value)
                    + "'");
          }
        });
  }

  /** Returns the amounts of counted resources. */
  static Map<String, Long> counted(List<String> resources) {
    try {
      return NodeConstraints.read(resources);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("--resource: " + wrong.getMessage(), wrong);
    }
  }

  /**
   * @param address at which others reach the node, or null
   */
  static NodeAddressAndPorts network(String address, GangPortRange ports) {
    if (address != null && !address.matches("[A-Za-z0-9._:-]{1,253}")) {
      throw new IllegalArgumentException(
          "--address must be a host name or an IP address, got '"
              + PrintableText.of(address)
              + "'");
    }
    return new NodeAddressAndPorts(address == null ? "" : address, ports.first(), ports.last());
  }
}
