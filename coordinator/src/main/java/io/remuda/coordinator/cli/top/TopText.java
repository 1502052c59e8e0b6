package io.remuda.coordinator.cli.top;

import java.time.ZoneId;
import java.util.List;
import java.util.OptionalInt;
import org.jline.utils.AttributedString;

/** A picture as plain lines, once. */
public final class TopText {

  private TopText() {}

  /**
   * The lines.
   *
   * @param width that none is wider than; without it nothing is cut
   * @param headings whether it is said what the columns are
   */
  public static List<String> of(
      TopPicture picture, OptionalInt width, ZoneId zone, boolean headings) {
    return TopLines.all(picture, width.orElse(TopLines.UNLIMITED), zone, headings).stream()
        .map(AttributedString::toString)
        .map(String::stripTrailing)
        .toList();
  }
}
