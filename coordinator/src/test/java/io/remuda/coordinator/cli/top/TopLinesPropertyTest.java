package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.top.TopScreenData.Gpu;
import io.remuda.coordinator.cli.top.TopScreenData.Job;
import io.remuda.coordinator.cli.top.TopScreenData.JobShare;
import io.remuda.telemetry.render.PrintableText;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jline.utils.AttributedString;

class TopLinesPropertyTest {
  private static final long MOST = 200L << 30;

  /** Texts of any script, and control characters of terminals. */
  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(40),
            Arbitraries.strings()
                .withChars("\u65e5\u672ce\u0301\n\t\u001b[m\u202e ")
                .ofMaxLength(40))
        .map(PrintableText::of);
  }

  private static Arbitrary<Gpu> gpus() {
    Arbitrary<Long> bytes = Arbitraries.longs().between(0, MOST);
    Arbitrary<JobShare> parts =
        Combinators.combine(
                Arbitraries.longs().between(1, 1_000_000_000L),
                Arbitraries.of(true, false),
                bytes,
                bytes.injectNull(0.2))
            .as(JobShare::new);
    Arbitrary<String> words =
        Arbitraries.of("free", "shared", "taken", "unfit", "ok", "degraded", "stale", "lost", "");
    return Combinators.combine(
            texts(),
            Arbitraries.of("", "0", "12", "3:11"),
            words,
            words,
            bytes,
            bytes.injectNull(0.2),
            parts.list().ofMaxSize(5),
            Arbitraries.integers().between(0, 100).injectNull(0.2))
        .as(
            (name, number, state, health, total, used, held, percent) ->
                Pictures.plainGpu(
                    name,
                    false,
                    number,
                    name,
                    state,
                    health,
                    total,
                    used,
                    held,
                    used,
                    percent,
                    percent,
                    percent == null ? null : percent * 9.7));
  }

  private static Arbitrary<Job> jobs() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 1_000_000_000L),
            texts(),
            Arbitraries.of("running", "waiting", "ending"),
            Arbitraries.integers().between(1, 1_000_000),
            texts())
        .as(
            (id, name, state, tasks, reason) ->
                new Job(id, name, name, state, tasks + " tasks", "2026-01-01T09:57:00Z", reason));
  }

  @Provide
  Arbitrary<TopScreenData> pictures() {
    return Combinators.combine(gpus().list().ofMaxSize(40), jobs().list().ofMaxSize(40))
        .as(Pictures::of);
  }

  @Property(tries = 300)
  void no_line_is_wider_than_the_terminal_and_there_are_not_too_many(
      @ForAll("pictures") TopScreenData picture,
      @ForAll @IntRange(min = 1, max = 200) int width,
      @ForAll @IntRange(min = 1, max = 60) int rows,
      @ForAll @IntRange(min = 0, max = 60) int first) {
    List<AttributedString> lines =
        TopLinesTest.lines(
            picture, width, rows, new ScrollPosition(first, first, first % 2 == 0), "");
    assertTrue(lines.size() <= rows, () -> lines.size() + " lines");
    for (AttributedString line : lines) {
      assertTrue(line.columnLength() <= width, line::toString);
      assertTrue(line.toString().chars().noneMatch(Character::isISOControl), line::toString);
    }
  }
}
