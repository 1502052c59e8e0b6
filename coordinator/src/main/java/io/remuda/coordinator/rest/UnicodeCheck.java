package io.remuda.coordinator.rest;

/** JSON may hold text that nothing else can: it names halves of surrogate pairs one by one. */
final class UnicodeCheck {

  private UnicodeCheck() {}

  /**
   * Whether a text can be written as UTF-8, in which it would go to nodes and into the state file.
   */
  static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      boolean pair =
          Character.isHighSurrogate(text.charAt(i))
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
