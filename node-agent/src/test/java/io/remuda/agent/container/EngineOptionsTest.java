package io.remuda.agent.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineOptionsTest {

  private static Config agent(String podman) {
    return ConfigFactory.parseString("remuda.agent.container.podman-options = " + podman)
        .withFallback(ConfigFactory.defaultReference())
        .getConfig("remuda.agent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[\"--runtime\", \"a b\"] | --runtime;a b",
        "\" --runtime=runc  --network=host \" | --runtime=runc;--network=host",
        "\"\" | ''",
        "[] | ''"
      })
  void they_are_a_list_or_a_text_with_blanks(String written, String options) {
    List<String> wanted = options.isEmpty() ? List.of() : List.of(options.split(";"));
    assertEquals(wanted, EngineOptions.from(agent(written)).of(new PodmanEngine()));
    assertEquals(List.of(), EngineOptions.from(agent(written)).of(new DockerEngine()));
  }
}
