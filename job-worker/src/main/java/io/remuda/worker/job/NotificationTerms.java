package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.net.URI;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who is told what happens to a job.
 *
 * @param to a URL that gets JSON by POST, an address that gets mail, or a program with its whole
 *     path and arguments between blanks, which the server's account runs
 * @param on what is told, at least one
 */
public record NotificationTerms(String to, SortedSet<Occasion> on) {

  /** What happens to a job. */
  public enum Occasion {
    /** Its first task has got a place. */
    START,
    /** It has ended in any way. */
    END,
    /** It has ended without success. */
    FAIL
  }

  /** How somebody is told. */
  public enum Way {
    URL,
    MAIL,
    COMMAND
  }

  /** The longest {@code to}. */
  public static final int MOST_LETTERS = 1000;

  public NotificationTerms {
    if (to == null || to.isBlank() || to.length() > MOST_LETTERS || to.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "notifyTo must be a URL, an address or a program, of at most "
              + MOST_LETTERS
              + " letters");
    }
    on = Collections.unmodifiableSortedSet(new TreeSet<>((Collection<Occasion>) on));
    if (on.isEmpty()) {
      throw new IllegalArgumentException("notifyOn must be start, end or fail, got none");
    }
    if (way(to) == Way.URL && !isUrl(to)) {
      throw new IllegalArgumentException("notifyTo: '" + to + "' is not a URL");
    }
    if (way(to) == Way.COMMAND && !to.startsWith("/")) {
      throw new IllegalArgumentException(
          "notifyTo must be a URL (https://…), an address (ann@example.org) or a program with its"
              + " whole path, got '"
              + to
              + "'");
    }
  }

  private static Way way(String to) {
    if (to.matches("(?i)https?://.*")) {
      return Way.URL;
    }
    return to.matches("[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9][A-Za-z0-9.-]*")
        ? Way.MAIL
        : Way.COMMAND;
  }

  private static boolean isUrl(String to) {
    try {
      return URI.create(to).getHost() != null;
    } catch (IllegalArgumentException wrong) {
      return false;
    }
  }

  /** Returns how the receiver is told. */
  public Way way() {
    return way(to);
  }

  /** Returns the program and its arguments; no shell reads them. */
  @JsonIgnore
  public List<String> argv() {
    return Arrays.asList(to.strip().split("\\s+"));
  }
}
