package io.remuda.coordinator.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Screen;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.telemetry.render.LabelledBar;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class LiveScreenPropertyTest {
  private static final int COLUMNS = 20;
  private static final int ROWS = 10;

  /**
   * What happens before one drawing.
   *
   * @param lengths of the new lines
   * @param bars from now on
   * @param size of the terminal from now on, or null if it stays
   */
  record Step(List<Integer> lengths, int bars, TerminalStream.Size size) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return steps(Arbitraries.just(null));
  }

  @Provide
  Arbitrary<List<Step>> stepsWithSizes() {
    Arbitrary<TerminalStream.Size> sizes =
        Combinators.combine(
                Arbitraries.integers().between(9, 60), Arbitraries.integers().between(1, 30))
            .as(TerminalStream.Size::new);
    return steps(sizes.injectNull(0.7));
  }

  private static Arbitrary<List<Step>> steps(Arbitrary<TerminalStream.Size> sizes) {
    Arbitrary<List<Integer>> lengths =
        Arbitraries.integers().between(8, 60).list().ofMinSize(0).ofMaxSize(15);
    return Combinators.combine(lengths, Arbitraries.integers().between(0, 12), sizes)
        .as(Step::new)
        .list()
        .ofMaxSize(30);
  }

  /** A terminal, what draws on it, and what it should show. */
  private static final class Session {
    private final Screen terminal = new Screen(COLUMNS, ROWS);
    private final LiveScreen live =
        new LiveScreen(terminal.stream(), this::size, new BarStyle(true, true));
    private final List<String> lines = new ArrayList<>();
    private int bars;

    Session() {
      make(new Step(List.of(8), 1, null));
    }

    private TerminalStream.Size size() {
      return new TerminalStream.Size(terminal.columns(), terminal.rows());
    }

    void make(Step step) {
      for (int length : step.lengths()) {
        String line = (lines.size() + 1) + ";" + "x".repeat(length);
        lines.add(line);
        live.above(line);
      }
      bars = step.bars();
      live.telemetry(most -> barsFor(most).stream().map(LabelledBar::words).toList());
      if (step.size() != null && !step.size().equals(size())) {
        terminal.resize(step.size().columns(), step.size().rows());
      }
      live.refresh();
    }

    private List<String> barsFor(int most) {
      return IntStream.rangeClosed(1, Math.min(most, bars)).mapToObj(n -> "bar " + n).toList();
    }

    /** All lines as rows of the terminal, and the bars. */
    List<String> rows() {
      List<String> rows = new ArrayList<>();
      for (String line : lines) {
        for (int at = 0; at < line.length(); at += terminal.columns()) {
          rows.add(line.substring(at, Math.min(line.length(), at + terminal.columns())));
        }
      }
      rows.addAll(barsFor(Math.min(terminal.rows(), Math.max(2, terminal.rows() - 3))));
      return rows;
    }
  }

  @Property(tries = 300)
  void the_terminal_holds_every_line_once_in_order_and_then_the_bars(
      @ForAll("steps") List<Step> steps) {
    Session session = new Session();
    for (Step step : steps) {
      session.make(step);
      assertEquals(session.rows(), session.terminal.all());
    }
  }

  @Property(tries = 300)
  void whatever_its_size_becomes_it_shows_the_newest_lines_and_the_bars_and_has_had_every_line(
      @ForAll("stepsWithSizes") List<Step> steps) {
    Session session = new Session();
    for (Step step : steps) {
      boolean resized = step.size() != null && !step.size().equals(session.size());
      session.make(step);
      List<String> rows = session.rows();
      List<String> visible = session.terminal.visible();
      assertEquals(rows.subList(rows.size() - visible.size(), rows.size()), visible);
      List<String> all = session.terminal.all();
      assertTrue(all.stream().noneMatch(row -> row.contains("~")), all::toString);
      if (resized) { // else a shorter list of bars leaves free rows below it
        int cursor = step.bars() == 0 ? 1 : 0; // below the lines if there is no bar
        assertEquals(Math.min(rows.size(), session.terminal.rows() - cursor), visible.size());
      }
    }
  }
}
