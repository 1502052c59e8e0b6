package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.top.TopLayout.VisibleRange;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TopLayoutTest {

  private static TopLayout of(int rows, int gpus, int jobs, ScrollPosition scroll) {
    return TopLayout.of(rows, gpus, jobs, jobs, scroll);
  }

  @Test
  void what_fits_is_shown_whole() {
    assertEquals(
        new TopLayout(new VisibleRange(0, 8, false), new VisibleRange(0, 5, false), true),
        of(24, 8, 5, ScrollPosition.TOP));
  }

  @Test
  void gpus_leave_a_third_to_jobs_and_say_how_many_more_there_are() {
    assertEquals(
        new TopLayout(new VisibleRange(0, 13, true), new VisibleRange(0, 5, true), true),
        of(24, 40, 50, ScrollPosition.TOP));
  }

  @Test
  void room_that_jobs_do_not_need_is_for_gpus() {
    assertEquals(
        new TopLayout(new VisibleRange(0, 17, true), new VisibleRange(0, 2, false), true),
        of(24, 40, 2, ScrollPosition.TOP));
  }

  @Test
  void room_that_gpus_do_not_need_is_for_jobs() {
    assertEquals(new VisibleRange(0, 17, true), of(24, 2, 40, ScrollPosition.TOP).jobs());
  }

  @Test
  void jobs_that_the_server_has_not_named_are_counted() {
    assertEquals(
        new VisibleRange(0, 3, true), TopLayout.of(24, 2, 3, 5000, ScrollPosition.TOP).jobs());
  }

  @Test
  void keys_scroll_one_list_at_a_time_and_stop_at_its_ends() {
    ScrollPosition scroll = ScrollPosition.TOP;
    scroll = scroll.after(TopKey.UP, of(24, 40, 50, scroll));
    assertEquals(0, of(24, 40, 50, scroll).gpus().first());
    scroll = scroll.after(TopKey.DOWN, of(24, 40, 50, scroll));
    assertEquals(1, of(24, 40, 50, scroll).gpus().first());
    scroll = scroll.after(TopKey.PAGE_DOWN, of(24, 40, 50, scroll));
    assertEquals(14, of(24, 40, 50, scroll).gpus().first());
    scroll = scroll.after(TopKey.END, of(24, 40, 50, scroll));
    assertEquals(new VisibleRange(27, 13, true), of(24, 40, 50, scroll).gpus());
    scroll = scroll.after(TopKey.TAB, of(24, 40, 50, scroll));
    scroll = scroll.after(TopKey.PAGE_DOWN, of(24, 40, 50, scroll));
    assertEquals(new VisibleRange(27, 13, true), of(24, 40, 50, scroll).gpus());
    assertEquals(new VisibleRange(5, 5, true), of(24, 40, 50, scroll).jobs());
    scroll = scroll.after(TopKey.HOME, of(24, 40, 50, scroll));
    assertEquals(0, of(24, 40, 50, scroll).jobs().first());
  }

  @Test
  void after_an_end_that_was_too_far_one_key_goes_back() {
    ScrollPosition scroll =
        ScrollPosition.TOP.after(TopKey.END, of(24, 40, 50, ScrollPosition.TOP));
    scroll = scroll.after(TopKey.UP, of(24, 40, 50, scroll));
    assertEquals(26, of(24, 40, 50, scroll).gpus().first());
  }

  @Property
  void no_screen_has_too_many_lines(
      @ForAll @IntRange(min = 1, max = 60) int rows,
      @ForAll @IntRange(min = 0, max = 100) int gpus,
      @ForAll @IntRange(min = 0, max = 100) int there,
      @ForAll @IntRange(min = 0, max = 100) int unnamed,
      @ForAll @IntRange(min = 0, max = 200) int first) {
    TopLayout layout =
        TopLayout.of(rows, gpus, there, there + unnamed, new ScrollPosition(first, first, false));
    int needed =
        3 + Math.max(1, layout.gpus().rows()) + layout.jobs().rows() + (layout.legend() ? 1 : 0);
    assertTrue(rows < 6 || needed <= rows, layout::toString);
    assertTrue(layout.gpus().first() + layout.gpus().shown() <= gpus, layout::toString);
    assertTrue(layout.jobs().first() + layout.jobs().shown() <= there, layout::toString);
    assertTrue(layout.gpus().more() || layout.gpus().shown() == gpus || rows < 6, layout::toString);
    assertTrue(
        layout.jobs().more() || layout.jobs().shown() == there + unnamed || rows < 6,
        layout::toString);
  }
}
