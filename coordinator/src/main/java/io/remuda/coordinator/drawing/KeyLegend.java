package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The colours of jobs, users or types, with a hatch for every second eight: that of a job by its
 * number, which is the same in all drawings and on the page, others for those that took most time.
 *
 * @param colours number by key, of those that have one
 * @param height in pixels
 */
record KeyLegend(List<Entry> entries, Map<String, Integer> colours, double height) {

  /** The key of all that have no colour. */
  static final String OTHERS = "others";

  private static final Pattern JOB = Pattern.compile("job (\\d{1,18})");
  private static final int MOST = 2 * DrawingStyle.COLOURS;
  private static final int MOST_LINES = 3;
  private static final double LINE = 20;
  private static final double SIGN = 17;
  private static final double BETWEEN = 16;

  record Entry(String label, int number, double x, double y) {}

  /**
   * @param hours by key, the most first
   */
  static KeyLegend of(Map<String, Double> hours, double width) {
    Map<String, Integer> colours = new HashMap<>();
    List<Entry> entries = new ArrayList<>();
    double x = 8;
    double y = 0;
    for (Map.Entry<String, Double> one : hours.entrySet()) {
      int number = number(one.getKey(), colours.size());
      if (number >= 0) {
        colours.put(one.getKey(), number);
      }
      String label =
          TextWidth.cut(one.getKey(), 180) + " · " + UnitText.digits(one.getValue()) + " GPU h";
      double wide = SIGN + TextWidth.of(label) + BETWEEN;
      if (x + wide > width && x > 8) {
        x = 8;
        y += LINE;
      }
      if (number >= 0 && y < MOST_LINES * LINE) {
        entries.add(new Entry(label, number, x, y));
        x += wide;
      }
    }
    double height = entries.isEmpty() ? 0 : entries.get(entries.size() - 1).y() + LINE + 6;
    return new KeyLegend(entries, colours, height);
  }

  /**
   * @param used numbers that others have
   * @return from 0; -1 if there is none left
   */
  static int number(String key, int used) {
    Matcher job = JOB.matcher(key);
    return job.matches() ? (int) (Long.parseLong(job.group(1)) % MOST) : used < MOST ? used : -1;
  }

  /** Returns the number of a key's colour, -1 for that of the others. */
  int colour(String key) {
    Integer number = colours.get(key);
    return number == null ? -1 : number % DrawingStyle.COLOURS;
  }

  boolean isHatched(String key) {
    return colours.getOrDefault(key, 0) >= DrawingStyle.COLOURS;
  }

  void draw(MarkupWriter svg, double top, DrawingFrame frame) {
    for (Entry entry : entries) {
      double y = top + entry.y();
      String colour = "r c" + entry.number() % DrawingStyle.COLOURS;
      svg.add("rect", "class", colour, "x", entry.x(), "y", y + 2, "width", 12, "height", 12);
      if (entry.number() >= DrawingStyle.COLOURS) {
        svg.add(
            "rect", "fill", frame.overlay(), "x", entry.x(), "y", y + 2, "width", 12, "height", 12);
      }
      svg.write("text", entry.label(), "class", "s", "x", entry.x() + SIGN, "y", y + 12);
    }
    svg.newLine();
  }
}
