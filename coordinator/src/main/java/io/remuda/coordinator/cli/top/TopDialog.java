package io.remuda.coordinator.cli.top;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What the keys have opened beside the picture: the help, the details of a job, a question or a
 * line to type. One thread.
 */
final class TopDialog {

  private static final int ENTER = '\r';
  private static final int NEW_LINE = '\n';
  private static final int ESCAPE = 27;
  private static final int CTRL_C = 3;
  private static final int DELETE = 127;
  private static final int BACKSPACE = '\b';
  private static final int MOST = 60;
  private static final String CHOOSE = "choose a job with the arrows first";

  private static final List<String> HELP =
      List.of(
          "remuda top: keys",
          "",
          "  Tab            switches between GPUs and jobs",
          "  arrows, PgUp, PgDn, Home, End",
          "                 scroll the GPUs, or choose a job",
          "  l, Enter       why the job waits, and the end of what it has printed",
          "  k              cancels the job, after a question",
          "  u              only the jobs of a user; empty for all",
          "  /              only jobs with a text in name, user, state or number",
          "  p              pauses and continues",
          "  h, ?           this help",
          "  q              quits, or closes what was opened");

  private enum Question {
    NONE,
    CANCEL,
    USER,
    TEXT
  }

  private final TopActions actions;
  private Question question = Question.NONE;
  private String typed = "";
  private long job;
  private List<String> page = List.of();
  private int first;
  private String notice = "";
  private JobFilter filter = JobFilter.ALL;

  TopDialog(TopActions actions) {
    this.actions = actions;
  }

  JobFilter filter() {
    return filter;
  }

  /** Returns what is asked or told, in place of the counts; empty for nothing. */
  String line() {
    return switch (question) {
      case CANCEL -> "cancel job " + job + "? y or n";
      case USER -> "jobs of user (empty for all): " + typed + "_";
      case TEXT -> "jobs with text (empty for all): " + typed + "_";
      case NONE -> notice;
    };
  }

  /** Returns the lines that cover the picture; empty without any. */
  Optional<List<String>> page() {
    return page.isEmpty()
        ? Optional.empty()
        : Optional.of(page.subList(Math.min(first, page.size() - 1), page.size()));
  }

  /** Returns whether the next character is for {@link #type}, and not a key. */
  boolean isTyping() {
    return question != Question.NONE;
  }

  /**
   * Takes a character of an answer.
   *
   * @return false if it was Ctrl-C or the end of the input
   */
  boolean type(int character) {
    if (character == CTRL_C || character == -1) {
      return false;
    }
    if (question == Question.CANCEL) {
      question = Question.NONE;
      notice = character == 'y' || character == 'Y' ? cancelled() : "job " + job + " goes on";
    } else if (character == ENTER || character == NEW_LINE) {
      filter =
          question == Question.USER
              ? new JobFilter(typed.strip(), filter.text())
              : new JobFilter(filter.user(), typed.strip());
      question = Question.NONE;
    } else if (character == ESCAPE) {
      question = Question.NONE;
    } else if (character == DELETE || character == BACKSPACE) {
      typed = typed.substring(0, Math.max(0, typed.length() - 1));
    } else if (character >= ' ' && typed.length() < MOST) {
      typed += Character.toString(character);
    }
    return true;
  }

  private String cancelled() {
    try {
      return actions.cancel(job);
    } catch (IOException no) {
      return no.getMessage();
    }
  }

  /**
   * Handles a key.
   *
   * @param chosen number of the chosen job; 0 for none
   * @return whether the key was for the dialog, and not for the picture
   */
  boolean press(TopKey key, long chosen) {
    if (key == TopKey.NONE || key == TopKey.INTERRUPT) {
      return false;
    }
    notice = "";
    if (!page.isEmpty()) {
      turn(key);
      return true;
    }
    switch (key) {
      case HELP -> open(HELP);
      case USER -> ask(Question.USER);
      case FIND -> ask(Question.TEXT);
      case CANCEL -> withJob(chosen, () -> ask(Question.CANCEL));
      case DETAILS -> withJob(chosen, () -> open(details()));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void turn(TopKey key) {
    switch (key) {
      case DOWN -> first = Math.min(first + 1, page.size() - 1);
      case UP -> first = Math.max(0, first - 1);
      case PAGE_DOWN -> first = Math.min(first + PAGE, page.size() - 1);
      case PAGE_UP -> first = Math.max(0, first - PAGE);
      case HOME -> first = 0;
      case END -> first = Math.max(0, page.size() - PAGE);
      default -> page = List.of();
    }
  }

  private static final int PAGE = 10;

  private void open(List<String> lines) {
    page = lines;
    first = 0;
  }

  private void ask(Question next) {
    question = next;
    typed = "";
  }

  private void withJob(long chosen, Runnable then) {
    if (chosen == 0) {
      notice = CHOOSE;
      return;
    }
    job = chosen;
    then.run();
  }

  private List<String> details() {
    try {
      return actions.details(job);
    } catch (IOException no) {
      return List.of("job " + job, "", no.getMessage());
    }
  }
}
