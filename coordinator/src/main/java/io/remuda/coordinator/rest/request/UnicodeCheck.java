package io.remuda.coordinator.rest.request;

/** Detects text with half a surrogate pair, which JSON can escape but UTF-8 cannot encode. */
final class UnicodeCheck {

  private UnicodeCheck() {}

  /** Returns whether a text can be encoded as UTF-8, as nodes and the state file need it. */
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
