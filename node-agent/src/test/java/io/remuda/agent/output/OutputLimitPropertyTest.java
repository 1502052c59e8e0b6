package io.remuda.agent.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class OutputLimitPropertyTest {

  @Property
  void however_a_file_grows_its_beginning_and_newest_part_are_kept_within_the_limit(
      @ForAll @LongRange(min = 64 << 10, max = 1L << 40) long bytes,
      @ForAll @Size(min = 1, max = 20) List<@LongRange(min = 0, max = 1L << 32) Long> growth) {
    OutputLimit limit = new OutputLimit(bytes);
    Optional<DroppedRange> dropped = Optional.empty();
    long size = 0;
    for (long more : growth) {
      size += more;
      Optional<DroppedRange> tooMuch = limit.tooMuch(size, dropped);
      if (tooMuch.isPresent()) {
        DroppedRange range = tooMuch.get();
        assertTrue(range.from() >= Math.min(1 << 20, bytes / 4 - 4096), "the beginning");
        assertTrue(range.from() <= 1 << 20, "the beginning");
        assertTrue(size - range.to() >= bytes / 2, "the newest part");
        assertEquals(0, range.from() % 4096, "whole pages");
        assertEquals(0, range.to() % 4096, "whole pages");
        assertTrue(
            dropped.isEmpty() || dropped.get().from() == range.from(), "one hole and no more");
        assertTrue(dropped.isEmpty() || dropped.get().to() < range.to(), "which grows");
        dropped = tooMuch;
      }
      assertTrue(size - dropped.map(DroppedRange::bytes).orElse(0L) <= bytes, "the limit");
    }
  }

  @Example
  void of_a_gibibyte_the_first_mebibyte_and_the_newest_half_are_kept() {
    OutputLimit limit =
        OutputLimit.from(ConfigFactory.defaultReference().getConfig("remuda.agent"));
    assertEquals(1L << 30, limit.bytes());
    assertEquals(Optional.empty(), limit.tooMuch(1L << 30, Optional.empty()));
    assertEquals(
        Optional.of(new DroppedRange(1 << 20, 1L << 29)),
        limit.tooMuch((1L << 30) + 1, Optional.empty()));
  }

  @Example
  void a_limit_that_keeps_next_to_nothing_is_refused() {
    String refusal =
        assertThrows(
                IllegalArgumentException.class,
                () -> OutputLimit.from(ConfigFactory.parseString("output-limit = 1KiB")))
            .getMessage();
    assertEquals("output-limit must be at least 65536 bytes, got 1024", refusal);
  }
}
