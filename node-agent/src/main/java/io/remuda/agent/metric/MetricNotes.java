package io.remuda.agent.metric;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What there is to say about lines of a task that give no point, since this agent has begun to read
 * them. Not thread-safe.
 */
final class MetricNotes {

  private static final int MOST_SHOWN = 60;
  private static final double MEBIBYTE = 1 << 20;

  /** Texts by what they are about. */
  private final Map<String, String> texts = new HashMap<>();

  private final Map<String, Long> notFinite = new HashMap<>();
  private final Map<String, String> firstNotFinite = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private long badLines;
  private long leftOutBytes;

  /** Returns what has changed since the last call. */
  Map<String, String> changed() {
    Map<String, String> news = new HashMap<>();
    changed.forEach(about -> news.put(about, texts.get(about)));
    changed.clear();
    return news;
  }

  private void put(String about, String text) {
    if (!text.equals(texts.put(about, text))) {
      changed.add(about);
    }
  }

  /** A value is not a number, or infinite. */
  void notFinite(MetricLine line) {
    String value = Double.isNaN(line.value()) ? "nan" : line.value() > 0 ? "inf" : "-inf";
    long times = notFinite.merge(line.name(), 1L, Long::sum);
    String first =
        firstNotFinite.computeIfAbsent(
            line.name(), none -> line.step() == null ? "" : " at step " + plain(line.step()));
    put(
        "not-finite:" + line.name(),
        line.name()
            + " was "
            + value
            + (times == 1 ? " once" + first : " or so " + times + " times, first" + first)
            + ": such values have no point");
  }

  private static String plain(double step) {
    return step == Math.rint(step) && Math.abs(step) < Long.MAX_VALUE
        ? Long.toString((long) step)
        : Double.toString(step);
  }

  /** A line is none that is understood. */
  void bad(byte[] bytes, int from, int length) {
    badLines++;
    String text = new String(bytes, from, Math.min(length, MOST_SHOWN), StandardCharsets.UTF_8);
    put(
        "bad-lines",
        (badLines == 1 ? "a line is" : badLines + " lines are")
            + " not name value [step], as loss 0.31 200; the last: '"
            + text.replaceAll("\\p{Cntrl}", "?")
            + (length > MOST_SHOWN ? "…'" : "'"));
  }

  /** There are more names than are kept. */
  void tooManyNames(int most, String name) {
    texts.computeIfAbsent(
        "names",
        about -> {
          changed.add(about);
          return "more than " + most + " names: '" + name + "' and later ones are not kept";
        });
  }

  /** Lines came faster than they are read. */
  void leftOut(long bytes) {
    leftOutBytes += bytes;
    put(
        "flood",
        String.format(
            Locale.ROOT,
            "%.1f MiB of lines came faster than they are read and are left out",
            leftOutBytes / MEBIBYTE));
  }

  /** Values of a metric came faster than points are kept. */
  void thinned(String name) {
    put(
        "thinned:" + name,
        name + ": values came faster than points are kept; mean, min and max are of all of them");
  }
}
