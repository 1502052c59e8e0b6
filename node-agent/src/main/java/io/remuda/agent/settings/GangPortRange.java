package io.remuda.agent.settings;

import com.typesafe.config.Config;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The setting {@code remuda.agent.gang-ports}: the TCP ports that members of gangs get.
 *
 * @param first lowest port, at least 1
 * @param last highest port, at most 65535
 */
public record GangPortRange(int first, int last) {

  private static final int HIGHEST = 65_535;
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");

  public GangPortRange {
    if (first < 1 || last > HIGHEST || first > last) {
      throw new IllegalArgumentException(wrong(first + "-" + last));
    }
  }

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException if it is not a range of ports
   */
  public static GangPortRange from(Config agent) {
    String text = agent.getString("gang-ports");
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      throw new IllegalArgumentException(wrong(text));
    }
    return new GangPortRange(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
  }

  private static String wrong(String text) {
    return "remuda.agent.gang-ports must be FIRST-LAST within 1 to "
        + HIGHEST
        + ", such as 20000-29999, got '"
        + text
        + "'";
  }
}
