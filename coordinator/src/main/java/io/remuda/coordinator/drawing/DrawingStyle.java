package io.remuda.coordinator.drawing;

/**
 * The colours of drawings. Series have the palette of Okabe and Ito, which people with any sort of
 * colour vision tell apart, and dashes besides; states have signs and hatches.
 */
public final class DrawingStyle {

  /** Number of colours for series, jobs, users and types. */
  static final int COLOURS = 8;

  private static final String FONT =
      ".rd text{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,"
          + "sans-serif;font-variant-numeric:tabular-nums}"
          + ".rd .h{font-size:15px;font-weight:600}.rd .b{font-weight:600}.rd .s{font-size:11px}"
          + ".rd .l{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}"
          + ".rd .a{stroke:none;fill-opacity:.18}"
          + ".rd .g{fill:none;stroke-width:1;shape-rendering:crispEdges}"
          + ".rd .e{text-anchor:end}.rd .m{text-anchor:middle}"
          + ".rd .q{fill:none;stroke-width:1}"
          + ".rd .y{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}"
          + ".rd .d1{stroke-dasharray:7 4}.rd .d2{stroke-dasharray:1 4}"
          + ".rd .d3{stroke-dasharray:9 3 1 3}.rd .d4{stroke-dasharray:3 3}"
          + ".rd .d5{stroke-dasharray:12 4}.rd .d6{stroke-dasharray:5 3 1 3 1 3}"
          + ".rd .d7{stroke-dasharray:2 2}";

  /** Rules that differ by theme: selector, property, light, dark. */
  private static final String[][] RULES = {
    {".bg", "fill", "#ffffff", "#0f1419"},
    {"text", "fill", "#1b1f24", "#e6edf3"},
    {".s", "fill", "#57606a", "#9aa7b4"},
    {".g", "stroke", "#e4e8ec", "#262f39"},
    {".x", "stroke", "#8c959f", "#6e7a86"},
    {".f", "fill", "#eef1f4", "#1b232c"},
    {".q", "stroke", "#8c959f", "#7d8996"},
    {".z", "stroke", "#ffffff", "#0f1419"},
    {".bad", "stroke", "#b42318", "#ff8b7e"},
    {".good", "stroke", "#08704c", "#45d19c"},
    {".late", "stroke", "#57606a", "#9aa7b4"},
    {".n", "fill", "#aab3bd", "#55616d"},
    {".in", "fill", "#14181d", "#ffffff"},
  };

  private static final String[] LIGHT = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3aa0dc", "#6a3d9a", "#737373"
  };
  private static final String[] DARK = {
    "#4aa8e8", "#ff9248", "#35cf9f", "#eba3ca", "#f0c04a", "#8ed0f8", "#b394e0", "#b5bcc4"
  };

  /** Ink that is read on each colour: white, or nearly black. */
  private static final String[] LIGHT_INK = {
    "#fff", "#14181d", "#14181d", "#14181d", "#14181d", "#14181d", "#fff", "#fff"
  };

  private static final String DARK_INK = "#0b0f14";

  private DrawingStyle() {}

  /**
   * Returns the rules for a page with drawings of {@link DrawingTheme#PAGE}. The reader's theme
   * decides, unless the page has {@code data-theme} with {@code light} or {@code dark} at its root.
   * On paper it is light. What is not a drawing has the same colours as {@code --job-0} and so on,
   * with the ink that is read on each as {@code --job-ink-0}.
   */
  public static String sheet() {
    return FONT
        + rules(".rd ", false)
        + variables(":root", false)
        + "@media screen and (prefers-color-scheme:dark){"
        + rules(":root:not([data-theme=light]) .rd ", true)
        + variables(":root:not([data-theme=light])", true)
        + "}@media screen{"
        + rules(":root[data-theme=dark] .rd ", true)
        + variables(":root[data-theme=dark]", true)
        + "}";
  }

  private static String variables(String selector, boolean dark) {
    StringBuilder variables = new StringBuilder(selector).append('{');
    for (int colour = 0; colour < COLOURS; colour++) {
      variables.append("--job-").append(colour).append(':');
      variables.append(dark ? DARK[colour] : LIGHT[colour]).append(';');
      variables.append("--job-ink-").append(colour).append(':');
      variables.append(dark ? DARK_INK : LIGHT_INK[colour]).append(';');
    }
    return variables.append('}').toString();
  }

  /** Returns the rules for a file; empty for a page. */
  static String of(DrawingTheme theme) {
    return switch (theme) {
      case LIGHT -> FONT + rules(".rd ", false);
      case DARK -> FONT + rules(".rd ", true);
      case AUTO ->
          FONT
              + rules(".rd ", false)
              + "@media screen and (prefers-color-scheme:dark){"
              + rules(".rd ", true)
              + "}";
      case PAGE -> "";
    };
  }

  private static String rules(String within, boolean dark) {
    StringBuilder rules = new StringBuilder();
    for (String[] rule : RULES) {
      rule(rules, within + rule[0], rule[1], dark ? rule[3] : rule[2]);
    }
    for (int colour = 0; colour < COLOURS; colour++) {
      String value = dark ? DARK[colour] : LIGHT[colour];
      rule(rules, within + ".l.c" + colour, "stroke", value);
      rule(rules, within + ".a.c" + colour, "fill", value);
      rule(rules, within + ".r.c" + colour, "fill", value);
      rule(rules, within + ".i" + colour, "fill", dark ? DARK_INK : LIGHT_INK[colour]);
    }
    return rules.toString();
  }

  private static void rule(StringBuilder rules, String selector, String property, String value) {
    rules.append(selector).append('{').append(property).append(':').append(value).append('}');
  }
}
