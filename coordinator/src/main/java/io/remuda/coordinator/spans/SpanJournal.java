package io.remuda.coordinator.spans;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spans of what is looked at once a second: those that are over wait for some seconds to be
 * written, and those that go on are written now and then, so that a kill loses little of them. A
 * span is known by how it began. Blocks. Not thread-safe.
 */
public final class SpanJournal<S> {

  private static final Logger LOG = LoggerFactory.getLogger(SpanJournal.class);

  /** Without a look for so long, nothing is known of the time between. */
  private static final int GAP_SECONDS = 6;

  /** What a kill loses at most, with few and with many spans that go on. */
  private static final int WRITE_SECONDS = 5;

  private static final int MANY_WRITE_SECONDS = 60;
  private static final int MANY = 1000;

  /** Files in which a span may be that was written as one that goes on, too. */
  private static final int NEWEST_FILES = 2;

  /** How spans are written. */
  public interface Form<S> {

    /** Returns the line of a span, without its end. */
    String line(S span);

    /** Returns the span of a line; nothing if it is damaged. */
    Optional<S> span(String line);

    /** Returns what no two spans have in common, also when they are seen longer. */
    Object beginning(S span);
  }

  /** What a second is after the last one. */
  public enum Look {
    /** It is none: a clock was set back by some seconds. */
    IGNORED,
    /** Nobody has looked for some time, so that all spans are over. */
    AFTER_GAP,
    NEXT
  }

  private final SpanFiles files;
  private final Form<S> form;
  private final String about;
  private final List<S> over = new ArrayList<>();
  private long lastSeen;
  private long written;
  private long openWritten;
  private boolean hasOpen; // in the file of those that go on
  private boolean failed;

  private SpanJournal(SpanFiles files, Form<S> form, String about, long second) {
    this.files = files;
    this.form = form;
    this.about = about;
    this.lastSeen = second;
    this.written = second;
    this.openWritten = second;
  }

  /**
   * Opens the spans of a folder, which is made if it is missing. Those that went on when a server
   * was killed are over.
   *
   * @param fileBytes after which another file begins
   * @param about what the spans are, for the log
   * @param second since 1970
   */
  public static <S> SpanJournal<S> open(
      Path folder, long fileBytes, Form<S> form, String about, long second) throws IOException {
    SpanFiles files = new SpanFiles(folder, fileBytes);
    files.begin(second);
    List<String> left = files.open();
    if (!left.isEmpty()) {
      files.append(notWritten(left, files.files(0), form), second);
      files.writeOpen(List.of());
    }
    return new SpanJournal<>(files, form, about, second);
  }

  /** Returns those lines whose spans are not in the newest files, as over, too. */
  private static <S> List<String> notWritten(List<String> left, List<Path> files, Form<S> form)
      throws IOException {
    Map<Object, String> lines = new LinkedHashMap<>();
    left.forEach(line -> form.span(line).ifPresent(span -> lines.put(form.beginning(span), line)));
    SpanFiles.read(
        files.subList(Math.max(0, files.size() - NEWEST_FILES), files.size()),
        "",
        line -> form.span(line).ifPresent(span -> lines.remove(form.beginning(span))));
    return List.copyOf(lines.values());
  }

  /** Returns from when on there are spans, in seconds since 1970. */
  public long since() {
    return files.since().orElse(lastSeen);
  }

  /** Returns the last second that was looked at. */
  public long lastSeen() {
    return lastSeen;
  }

  /** Returns what a second is after the last one. */
  public Look look(long second) {
    if (second <= lastSeen && lastSeen - second < GAP_SECONDS) {
      return Look.IGNORED;
    }
    return second < lastSeen || second - lastSeen > GAP_SECONDS ? Look.AFTER_GAP : Look.NEXT;
  }

  /** Adds a span that is over. */
  public void add(S span) {
    over.add(span);
  }

  /**
   * Notes that a second was looked at.
   *
   * @param goOn spans that are not over
   */
  public void seen(long second, Collection<S> goOn) {
    lastSeen = second;
    int pause = goOn.size() < MANY ? WRITE_SECONDS : MANY_WRITE_SECONDS;
    write(
        goOn, Math.abs(second - written) >= WRITE_SECONDS, Math.abs(second - openWritten) >= pause);
  }

  /** Writes everything; none goes on. */
  public void end() {
    write(List.of(), true, true);
  }

  private void write(Collection<S> goOn, boolean isTime, boolean isTimeOfOpen) {
    try {
      if (isTime && !over.isEmpty()) {
        written = lastSeen;
        files.append(over.stream().map(form::line).toList(), lastSeen);
        over.clear();
      }
      if (isTimeOfOpen && (hasOpen || !goOn.isEmpty())) {
        openWritten = lastSeen;
        files.writeOpen(goOn.stream().map(form::line).toList());
        hasOpen = !goOn.isEmpty();
      }
      failed = false;
    } catch (IOException fault) {
      over.clear(); // what is kept is bounded
      if (!failed) {
        LOG.warn("{} is not written: {}", about, fault.toString());
        failed = true;
      }
    }
  }

  /**
   * What there was at a moment. Any thread.
   *
   * @param files with spans that are over
   * @param newest spans that are not in files yet
   */
  public record Snapshot<S>(List<Path> files, List<S> newest, Form<S> form) {

    /**
     * Passes on each span once, those of files in the order in which they were over.
     *
     * @param beginning of lines in files; others are left out
     */
    public void read(String beginning, Consumer<S> into) throws IOException {
      Set<Object> known = new HashSet<>();
      newest.forEach(span -> known.add(form.beginning(span)));
      SpanFiles.read(
          files,
          beginning,
          line ->
              form.span(line)
                  .filter(span -> !known.contains(form.beginning(span))) // written meanwhile
                  .ifPresent(into));
      newest.forEach(into);
    }
  }

  /**
   * Returns what there is.
   *
   * @param from files whose spans were all over before this second are left out
   * @param isWanted which of the spans that are not in files are
   * @param goOn spans that are not over
   */
  public Snapshot<S> snapshot(long from, Predicate<S> isWanted, Collection<S> goOn) {
    List<S> newest = new ArrayList<>();
    over.stream().filter(isWanted).forEach(newest::add);
    newest.addAll(goOn);
    return new Snapshot<>(files.files(from), newest, form);
  }
}
