package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.SpawnTemplate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest templates of one connection, by number. Both sides add the same templates in the same
 * order and so drop the same: the oldest, when there are too many or they are too large.
 * Single-threaded.
 */
final class SpawnTemplateCache {

  private static final int MOST = 32;
  private static final long MOST_CHARACTERS = 1 << 20;

  private final Map<Integer, SpawnTemplate> templates = new LinkedHashMap<>();
  private long characters;

  void add(int number, SpawnTemplate template) {
    templates.put(number, template);
    characters += template.size();
    while (templates.size() > 1 && (templates.size() > MOST || characters > MOST_CHARACTERS)) {
      int oldest = templates.keySet().iterator().next();
      characters -= templates.remove(oldest).size();
    }
  }

  /** Returns the template of a number, or null if there is none, or no longer. */
  SpawnTemplate find(int number) {
    return templates.get(number);
  }

  /** Returns the number of a template, or 0 if the other side does not have it, or no longer. */
  int numberOf(SpawnTemplate template) {
    for (Map.Entry<Integer, SpawnTemplate> known : templates.entrySet()) {
      if (known.getValue() == template) {
        return known.getKey();
      }
    }
    return 0;
  }
}
