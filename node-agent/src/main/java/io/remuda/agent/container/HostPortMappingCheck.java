package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.Optional;

/** Containers of engines that leave them in the network of their node. */
final class HostPortMappingCheck {

  private HostPortMappingCheck() {}

  /** Refuses ports that would have to be another one outside. */
  static Optional<String> refusal(String engine, ContainerTerms terms) {
    return terms.ports().stream()
        .filter(port -> port.host() != port.container())
        .findFirst()
        .map(
            port ->
                engine
                    + " cannot map ports: its containers are in the node's network, so port "
                    + port.container()
                    + " cannot be "
                    + port.host());
  }
}
