package io.remuda.coordinator.testkit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A terminal that keeps what scrolls away. It knows the few sequences that a drawing may use and
 * refuses any other; each character is one column wide. Thread-safe.
 */
public final class Screen {

  private static final char LEFT_OVER = '~';
  private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[([0-9;]*)([A-Za-z])");

  private final Output output = new Output();
  private final PrintStream stream = new PrintStream(output, false, StandardCharsets.UTF_8);
  private final List<String> scrolled = new ArrayList<>();
  private char[][] cells;
  private int row;
  private int column;
  private boolean wrapping;
  private long written;

  /** An empty screen with the cursor at its top left. */
  public Screen(int columns, int rows) {
    cells = filled(columns, rows, ' ');
  }

  private static char[][] filled(int columns, int rows, char with) {
    char[][] cells = new char[rows][columns];
    Arrays.stream(cells).forEach(cell -> Arrays.fill(cell, with));
    return cells;
  }

  /** Shown when it is flushed. */
  private final class Output extends ByteArrayOutputStream {
    @Override
    public void flush() {
      String text = toString(StandardCharsets.UTF_8);
      reset();
      show(text);
    }
  }

  /** What is written here is shown. */
  public PrintStream stream() {
    return stream;
  }

  public synchronized int columns() {
    return cells[0].length;
  }

  public synchronized int rows() {
    return cells.length;
  }

  /** Characters that were written so far. */
  public synchronized long written() {
    return written;
  }

  /** The row of the cursor, from 0. */
  public synchronized int cursorRow() {
    return row;
  }

  /**
   * Another size. Terminals differ in what they then do with text and cursor; this one leaves
   * nothing where it was.
   */
  public synchronized void resize(int columns, int rows) {
    cells = filled(columns, rows, LEFT_OVER);
    row = rows / 2;
    column = columns / 2;
    wrapping = false;
  }

  /** The rows without what is blank at their ends, and without blank rows at the bottom. */
  public synchronized List<String> visible() {
    List<String> text = Arrays.stream(cells).map(String::new).map(String::stripTrailing).toList();
    int end = text.size();
    while (end > 0 && text.get(end - 1).isEmpty()) {
      end--;
    }
    return text.subList(0, end);
  }

  /** The rows that left the screen at its top. */
  public synchronized List<String> scrolled() {
    return List.copyOf(scrolled);
  }

  /** All rows, those that have left first. */
  public synchronized List<String> all() {
    List<String> all = new ArrayList<>(scrolled);
    all.addAll(visible());
    return all;
  }

  private synchronized void show(String text) {
    written += text.length();
    Matcher sequence = SEQUENCE.matcher(text);
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == '\u001b') {
        sequence.region(at, text.length());
        check(sequence.lookingAt(), text, at);
        obey(sequence.group(1), sequence.group(2).charAt(0), text, at);
        at = sequence.end() - 1;
      } else {
        type(text, at);
      }
    }
  }

  private static void check(boolean known, String text, int at) {
    if (!known) {
      String rest = text.substring(at, Math.min(text.length(), at + 20));
      throw new AssertionError(
          "not for this terminal: " + rest.replaceAll("\\p{Cc}", "?") + " at " + at);
    }
  }

  private void obey(String number, char command, String text, int at) {
    switch (command) {
      case 'm' -> {} // colours
      case 'A' -> goTo(Math.max(0, row - Integer.parseInt(number)), column);
      case 'H' -> {
        check(number.isEmpty(), text, at);
        goTo(0, 0);
      }
      case 'J' -> {
        check(number.isEmpty(), text, at);
        Arrays.fill(cells[row], column, columns(), ' ');
        Arrays.stream(cells).skip(row + 1L).forEach(below -> Arrays.fill(below, ' '));
      }
      case 'K' -> {
        check(number.equals("2"), text, at);
        Arrays.fill(cells[row], ' ');
      }
      default -> check(false, text, at);
    }
  }

  private void goTo(int toRow, int toColumn) {
    row = toRow;
    column = toColumn;
    wrapping = false;
  }

  private void type(String text, int at) {
    char one = text.charAt(at);
    if (one == '\r') {
      goTo(row, 0);
    } else if (one == '\n') {
      feed();
    } else {
      check(!Character.isISOControl(one), text, at);
      put(one);
    }
  }

  private void feed() {
    wrapping = false;
    if (row + 1 < rows()) {
      row++;
      return;
    }
    scrolled.add(new String(cells[0]).stripTrailing());
    System.arraycopy(cells, 1, cells, 0, rows() - 1);
    cells[row] = filled(columns(), 1, ' ')[0];
  }

  /** After the last column the cursor stays there until the next character comes. */
  private void put(char one) {
    if (wrapping) {
      feed();
      column = 0;
    }
    cells[row][column] = one;
    wrapping = column + 1 == columns();
    column = wrapping ? column : column + 1;
  }
}
