package io.remuda.agent.container;

import com.typesafe.config.Config;
import io.remuda.worker.job.ContainerTerms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this node's settings add to the command lines of engines.
 *
 * @param byEngine options by the engine's name
 */
public record EngineOptions(Map<String, List<String>> byEngine) {

  public EngineOptions {
    byEngine = Map.copyOf(byEngine);
  }

  /** Reads {@code container} under {@code remuda.agent}. */
  public static EngineOptions from(Config agent) {
    Map<String, List<String>> options = new HashMap<>();
    for (String engine : ContainerTerms.ENGINES) {
      options.put(engine, agent.getStringList("container." + engine + "-options"));
    }
    return new EngineOptions(options);
  }

  List<String> of(ContainerEngine engine) {
    return byEngine.getOrDefault(engine.name(), List.of());
  }
}
