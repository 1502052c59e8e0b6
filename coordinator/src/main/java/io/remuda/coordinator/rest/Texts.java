package io.remuda.coordinator.rest;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON may hold text that nothing else can: it names halves of surrogate pairs one by one. */
final class Texts {

  private Texts() {}

  /**
   * Looks at all values; names of fields the parser has looked at.
   *
   * @throws IllegalArgumentException if one of them cannot be written as UTF-8, in which it would
   *     go to nodes and into the state file
   */
  static void check(JsonNode node) {
    if (node.isTextual()) {
      check(node.textValue());
    }
    for (JsonNode child : node) {
      check(child);
    }
  }

  private static void check(String text) {
    for (int i = 0; i < text.length(); i++) {
      boolean pair =
          Character.isHighSurrogate(text.charAt(i))
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        throw new IllegalArgumentException(
            "half of a surrogate pair stands alone in a text: it has no UTF-8");
      }
    }
  }
}
