package io.remuda.coordinator.cli.top;

import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.telemetry.render.PrintableText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * A picture as lines, none wider than the terminal:
 *
 * <pre>
 * 1 node  2 GPUs, 1 free  jobs: 2 running, 1 waiting                      14:03:22
 * NODE GPU  USE MEMORY: A used, a promised, # others, . free          GiB
 * lab7   0  87% [AAAAAAAAAAAAAaaaaaaBBBbbbbbb#####..................]  41.2/139.8
 *   JOB NAME  USER STATE      TIME REASON
 * A 12  train ann  running      3m
 * </pre>
 */
final class TopLines {

  /** Width of lines that are not cut. */
  static final int UNLIMITED = 100_000;

  private static final int PARTS_FOR_NAME = 5;
  private static final int PARTS_FOR_USER = 10;
  private static final int STATE = 9;
  private static final int TIME = 5;
  private static final String CURVE = "LAST 15 MIN";

  /** Width from which on jobs have curves. */
  private static final int WIDE = 120;

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
  private static final AttributedStyle BOLD = PLAIN.bold();
  private static final AttributedStyle HEADING = PLAIN.underline();
  private static final AttributedStyle TROUBLE = BOLD.foreground(AttributedStyle.RED);
  private static final String DRAINING = "draining";
  private static final String RESTING = "resting";

  /** States in which a GPU is not lent whole, for a reason that is shown. */
  private static final Set<String> KEPT = Set.of("occupied", RESTING, DRAINING);

  private static final String LEGEND =
      " h help  q quit  Tab GPUs or jobs  arrows  l logs  k cancel  u user  / find";

  private final TopScreenData picture;
  private final TopCurves curves;
  private final int width;
  private final JobLetters letters;
  private final GpuColumnWidths columns;
  private final int jobWidth;
  private final int nameWidth;
  private final int userWidth;
  private final List<AttributedString> lines = new ArrayList<>();
  private long chosen;

  private TopLines(TopScreenData picture, TopCurves curves, int width) {
    this.picture = picture;
    this.curves = curves;
    this.width = width;
    this.letters = JobLetters.of(picture.gpus());
    this.columns = GpuColumnWidths.of(picture.gpus(), width, !curves.isEmpty());
    this.jobWidth = Math.max(5, 2 + widestJob(job -> digits(job.id())));
    this.nameWidth =
        Math.max(
            4,
            Math.min(width / PARTS_FOR_NAME, widestJob(job -> TextWidthFitter.width(job.name()))));
    this.userWidth =
        Math.max(
            4,
            Math.min(width / PARTS_FOR_USER, widestJob(job -> TextWidthFitter.width(job.user()))));
  }

  /** Returns the lines of all GPUs and jobs; without {@code headings} only these. */
  static List<AttributedString> all(
      TopScreenData picture, int width, ZoneId zone, boolean headings) {
    TopLines all = new TopLines(picture, TopCurves.NONE, width);
    if (headings) {
      all.header(zone, "");
      all.gpuHeading();
    }
    all.gpus(new TopLayout.VisibleRange(0, picture.gpus().size(), false));
    if (headings) {
      all.add("", PLAIN);
      all.jobHeading();
    }
    all.jobs(new TopLayout.VisibleRange(0, picture.jobs().size(), false));
    int more = picture.running() + picture.waiting() - picture.jobs().size();
    if (headings && more > 0) {
      all.add("and " + more + " more jobs: remuda state --json lists them all", PLAIN);
    }
    return all.lines;
  }

  /**
   * Returns the lines of a screen.
   *
   * @param curves of its GPUs and jobs; without any there is no column for them
   * @param scroll the position for which {@code layout} was made
   * @param chosen number of the job that is marked; 0 for none
   * @param notice a message in place of the counts, or empty
   */
  static List<AttributedString> screen(
      TopScreenData picture,
      TopCurves curves,
      int width,
      int rows,
      TopLayout layout,
      ScrollPosition scroll,
      long chosen,
      ZoneId zone,
      String notice) {
    TopLines screen = new TopLines(picture, curves, width);
    screen.chosen = chosen;
    screen.header(zone, notice);
    screen.gpuHeading();
    screen.gpus(layout.gpus());
    screen.more("GPUs", layout.gpus(), picture.gpus().size(), !scroll.ofJobs());
    screen.jobHeading();
    screen.jobs(layout.jobs());
    screen.more("jobs", layout.jobs(), picture.running() + picture.waiting(), scroll.ofJobs());
    if (layout.legend()) {
      while (screen.lines.size() < rows - 1) {
        screen.add("", PLAIN);
      }
      screen.add(LEGEND, PLAIN.faint());
    }
    return screen.lines.subList(0, Math.min(rows, screen.lines.size()));
  }

  /** Returns lines that cover the screen, the first one marked. */
  static List<AttributedString> page(List<String> texts, int width, int rows) {
    List<AttributedString> lines = new ArrayList<>();
    for (String text : texts.subList(0, Math.min(rows, texts.size()))) {
      AttributedStyle style = lines.isEmpty() ? BOLD : PLAIN;
      lines.add(new AttributedString(TextWidthFitter.cut(text, width), style));
    }
    return lines;
  }

  private void add(AttributedStringBuilder line) {
    AttributedString text = line.toAttributedString();
    lines.add(text.columnLength() > width ? text.columnSubSequence(0, width) : text);
  }

  private void add(String text, AttributedStyle style) {
    add(new AttributedStringBuilder().append(text, style));
  }

  /** Adds the counts, or the notice in their place, and the time if it fits. */
  private void header(ZoneId zone, String notice) {
    String text = notice.isEmpty() ? counts() : PrintableText.of(notice);
    String clock = CLOCK.format(picture.at().atZone(zone));
    int room = width == UNLIMITED ? TextWidthFitter.width(text) + 2 : width - clock.length() - 1;
    boolean withClock = TextWidthFitter.width(text) <= room;
    add(
        new AttributedStringBuilder()
            .append(
                withClock ? TextWidthFitter.left(text, room) : text,
                notice.isEmpty() ? BOLD : TROUBLE)
            .append(withClock ? " " + clock : ""));
  }

  private String counts() {
    return count(picture.nodes(), "node")
        + (picture.silent() == 0 ? "" : ", " + picture.silent() + " silent")
        + "  "
        + count(picture.gpus().size(), "GPU")
        + gpus("free")
        + gpus("occupied")
        + gpus("unfit")
        + gpus(RESTING)
        + gpus(DRAINING)
        + "  jobs: "
        + picture.running()
        + " running, "
        + picture.waiting()
        + " waiting"
        + (picture.note().isEmpty() ? "" : "; " + picture.note());
  }

  private static String count(int many, String what) {
    return many + " " + what + (many == 1 ? "" : "s");
  }

  private String gpus(String state) {
    long many =
        picture.gpus().stream().filter(gpu -> !gpu.silent() && gpu.state().equals(state)).count();
    return many == 0 ? "" : ", " + many + " " + state;
  }

  private void gpuHeading() {
    String memory = "MEMORY: A used, a promised, # others, . free";
    add(
        TextWidthFitter.left("NODE", columns.node())
            + " "
            + TextWidthFitter.right("GPU", columns.number())
            + "  USE "
            + TextWidthFitter.left(TextWidthFitter.cut(memory, columns.bar()), columns.bar())
            + TextWidthFitter.right("GiB", columns.bytes() + 1)
            + (columns.model() == 0 ? "" : " " + TextWidthFitter.left("MODEL", columns.model()))
            + (columns.heat() ? " TEMP POWER" : "")
            + (columns.curve() ? " " + TextWidthFitter.left(CURVE, TopCurves.POINTS) : ""),
        HEADING);
  }

  private void gpus(TopLayout.VisibleRange part) {
    if (picture.gpus().isEmpty()) {
      add(picture.nodes() == 0 ? "no node has joined" : "no node has a GPU", PLAIN);
    }
    picture.gpus().subList(part.first(), part.first() + part.shown()).forEach(this::gpu);
  }

  private void gpu(TopScreenData.Gpu gpu) {
    AttributedStringBuilder line = new AttributedStringBuilder();
    line.append(TextWidthFitter.left(gpu.node(), columns.node()))
        .append(" ")
        .append(
            TextWidthFitter.right(gpu.number().isEmpty() ? "-" : gpu.number(), columns.number()))
        .append(
            TextWidthFitter.right(gpu.utilization() == null ? "n/a" : gpu.utilization() + "%", 5))
        .append(" ");
    String trouble = trouble(gpu);
    if (trouble.isEmpty()) {
      bar(line, gpu);
    } else {
      line.append(TextWidthFitter.left(trouble, columns.bar()), TROUBLE);
    }
    line.append(" ").append(TextWidthFitter.right(columns.bytes(gpu), columns.bytes()));
    if (columns.model() > 0) {
      boolean kept = trouble.isEmpty() && KEPT.contains(gpu.state());
      String model = kept ? kept(gpu) : GpuColumnWidths.model(gpu);
      line.append(" ").append(TextWidthFitter.left(model, columns.model()), kept ? TROUBLE : PLAIN);
    }
    if (columns.heat()) {
      line.append(TextWidthFitter.right(gpu.celsius() == null ? "n/a" : gpu.celsius() + "C", 5))
          .append(
              TextWidthFitter.right(
                  gpu.watts() == null ? "n/a" : Math.round(gpu.watts()) + "W", 6));
    }
    if (columns.curve()) {
      line.append(" ").append(TextWidthFitter.left(curves.gpu(gpu.uuid()), TopCurves.POINTS));
    }
    add(line);
  }

  /** Returns why there is no bar, or empty if there is one. */
  private static String trouble(TopScreenData.Gpu gpu) {
    if (gpu.silent()) {
      return "the node does not answer";
    } else if (gpu.health().isEmpty()) {
      return "no reading yet";
    } else if (gpu.health().equals("lost")) {
      return "lost: the driver reports it as gone";
    } else if (gpu.health().equals("stale")) {
      return "the driver does not answer";
    }
    if (gpu.total() == 0) {
      return "its memory is not known";
    }
    return KEPT.contains(gpu.state()) && gpu.parts().isEmpty() ? kept(gpu) : "";
  }

  private static String kept(TopScreenData.Gpu gpu) {
    return gpu.state() + (gpu.reason().isEmpty() ? "" : ": " + gpu.reason());
  }

  private void bar(AttributedStringBuilder line, TopScreenData.Gpu gpu) {
    line.append("[");
    for (MemoryBar.Piece piece : MemoryBar.of(gpu, letters, columns.bar() - 2)) {
      line.append(String.valueOf(piece.sign()).repeat(piece.columns()), style(piece));
    }
    line.append("]");
  }

  private AttributedStyle style(MemoryBar.Piece piece) {
    if (piece.job() == 0) {
      return piece.used() ? PLAIN.foreground(AttributedStyle.RED) : PLAIN.faint();
    }
    AttributedStyle style = colour(piece.job());
    return piece.used() ? style.bold() : style;
  }

  /** Returns one of five colours; red marks memory that belongs to no job. */
  private AttributedStyle colour(long job) {
    int place = letters.place(job);
    return place < 0 ? PLAIN : PLAIN.foreground(AttributedStyle.GREEN + place % 5);
  }

  private void more(String what, TopLayout.VisibleRange part, int all, boolean scrolls) {
    if (part.more()) {
      add(
          "   "
              + what
              + " "
              + (part.shown() == 0 ? "" : part.first() + 1 + "-" + (part.first() + part.shown()))
              + " of "
              + all
              + (scrolls ? ": arrows, PgUp, PgDn" : ": Tab, then arrows"),
          PLAIN.faint());
    }
  }

  private void jobHeading() {
    add(jobColumns("  JOB", "NAME", "USER", "STATE", "TIME", CURVE, "REASON"), HEADING);
  }

  private String jobColumns(
      String job,
      String name,
      String user,
      String state,
      String time,
      String curve,
      String reason) {
    return TextWidthFitter.left(job, jobWidth)
        + " "
        + TextWidthFitter.left(name, nameWidth)
        + " "
        + TextWidthFitter.left(user, userWidth)
        + " "
        + TextWidthFitter.left(state, STATE)
        + " "
        + TextWidthFitter.right(time, TIME)
        + " "
        + (curves.isEmpty() || width < WIDE
            ? ""
            : TextWidthFitter.left(curve, TopCurves.POINTS) + " ")
        + reason;
  }

  private int widestJob(ToIntFunction<TopScreenData.Job> part) {
    return picture.jobs().stream().mapToInt(part).max().orElse(0);
  }

  private static int digits(long number) {
    return Long.toString(number).length();
  }

  private void jobs(TopLayout.VisibleRange part) {
    if (picture.jobs().isEmpty()) {
      add("no jobs", PLAIN);
    }
    picture.jobs().subList(part.first(), part.first() + part.shown()).forEach(this::job);
  }

  private void job(TopScreenData.Job job) {
    String letter = String.valueOf(letters.letter(job.id()));
    String tasks =
        job.tasks().isEmpty() || job.reason().isEmpty() ? job.tasks() : job.tasks() + "; ";
    String text =
        jobColumns(
            "  " + job.id(),
            job.name(),
            job.user(),
            job.state(),
            ElapsedTime.span(job.since(), null, picture.at()),
            curves.job(job.id()),
            tasks + job.reason());
    boolean marked = job.id() == chosen;
    add(
        new AttributedStringBuilder()
            .append(letter, marked ? PLAIN.inverse() : colour(job.id()).bold())
            .append(text.substring(1), marked ? PLAIN.inverse() : PLAIN));
  }
}
