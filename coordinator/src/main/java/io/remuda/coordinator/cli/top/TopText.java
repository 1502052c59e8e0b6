package io.remuda.coordinator.cli.top;

import java.time.ZoneId;
import java.util.List;
import java.util.OptionalInt;
import org.jline.utils.AttributedString;

/** Formats a picture as plain lines. */
public final class TopText {

  private TopText() {}

  /**
   * Returns the lines.
   *
   * @param width maximum width of a line; empty if lines are not cut
   * @param headings whether to add counts and column titles
   */
  public static List<String> of(
      TopScreenData picture, OptionalInt width, ZoneId zone, boolean headings) {
    return TopLines.all(picture, width.orElse(TopLines.UNLIMITED), zone, headings).stream()
        .map(AttributedString::toString)
        .map(String::stripTrailing)
        .toList();
  }
}
