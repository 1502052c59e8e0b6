package io.remuda.agent.container;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueType;
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

  /**
   * Reads {@code container} under {@code remuda.agent}: lists of options, or texts with blanks
   * between them.
   */
  public static EngineOptions from(Config agent) {
    Map<String, List<String>> options = new HashMap<>();
    for (String engine : ContainerTerms.ENGINES) {
      options.put(engine, words(agent, "container." + engine + "-options"));
    }
    return new EngineOptions(options);
  }

  /** Reads a list, or words with blanks between them. */
  private static List<String> words(Config agent, String path) {
    if (agent.getValue(path).valueType() != ConfigValueType.STRING) {
      return agent.getStringList(path);
    }
    String text = agent.getString(path).strip();
    return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
  }

  List<String> of(ContainerEngine engine) {
    return byEngine.getOrDefault(engine.name(), List.of());
  }
}
