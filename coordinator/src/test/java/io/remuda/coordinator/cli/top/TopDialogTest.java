package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the keys of top open beside the picture. */
class TopDialogTest {

  private final List<Long> cancelled = new ArrayList<>();

  private final TopDialog dialog =
      new TopDialog(
          new TopActions() {
            @Override
            public String cancel(long job) throws IOException {
              if (job == 9) {
                throw new IOException("not yours");
              }
              cancelled.add(job);
              return "job " + job + " is cancelled";
            }

            @Override
            public List<String> details(long job) {
              return List.of("job " + job, "  waits", "  for long");
            }
          });

  private void type(String text) {
    text.chars().forEach(one -> assertTrue(dialog.type(one)));
  }

  @Test
  void a_job_is_cancelled_only_after_a_yes() {
    assertTrue(dialog.press(TopKey.CANCEL, 4));
    assertEquals("cancel job 4? y or n", dialog.line());
    type("x");
    assertEquals("job 4 goes on", dialog.line());
    assertEquals(List.of(), cancelled);
    dialog.press(TopKey.CANCEL, 4);
    assertTrue(dialog.isTyping());
    type("y");
    assertFalse(dialog.isTyping());
    assertEquals("job 4 is cancelled", dialog.line());
    assertEquals(List.of(4L), cancelled);
    assertFalse(dialog.press(TopKey.DOWN, 4));
    assertEquals("", dialog.line(), "until the next key");
  }

  @Test
  void a_refusal_is_shown_and_without_a_chosen_job_nothing_is_asked() {
    dialog.press(TopKey.CANCEL, 9);
    type("y");
    assertEquals("not yours", dialog.line());
    dialog.press(TopKey.CANCEL, 0);
    assertEquals("choose a job with the arrows first", dialog.line());
    assertFalse(dialog.isTyping());
  }

  @Test
  void a_typed_user_and_text_choose_the_jobs() {
    dialog.press(TopKey.USER, 0);
    type("anx\u007fn\r");
    dialog.press(TopKey.FIND, 0);
    type("EVAL\r");
    assertEquals(new JobFilter("ann", "EVAL"), dialog.filter());
    TopScreenData all =
        Pictures.of(
            List.of(),
            List.of(
                Pictures.job(1, "train", "running", ""),
                Pictures.job(2, "eval", "running", ""),
                Pictures.job(3, "eval2", "waiting", "")));
    TopScreenData some = dialog.filter().of(all);
    assertEquals(List.of(2L, 3L), some.jobs().stream().map(TopScreenData.Job::id).toList());
    assertEquals(List.of(1, 1), List.of(some.running(), some.waiting()));
    dialog.press(TopKey.USER, 0);
    type("bob\u001b");
    assertEquals("ann", dialog.filter().user(), "Escape changes nothing");
    dialog.press(TopKey.USER, 0);
    type("\r");
    dialog.press(TopKey.FIND, 0);
    type("\r");
    assertTrue(dialog.filter().isAll());
  }

  @Test
  void help_and_details_cover_the_picture_until_a_key_closes_them() {
    assertTrue(dialog.press(TopKey.HELP, 0));
    assertEquals("remuda top: keys", dialog.page().orElseThrow().get(0));
    assertTrue(dialog.press(TopKey.QUIT, 0), "it closes the page and not the program");
    assertEquals(Optional.empty(), dialog.page());
    assertFalse(dialog.press(TopKey.QUIT, 0));
    dialog.press(TopKey.DETAILS, 4);
    dialog.press(TopKey.DOWN, 4);
    assertEquals(List.of("  waits", "  for long"), dialog.page().orElseThrow());
  }

  @Test
  void ctrl_c_ends_also_while_a_line_is_typed() {
    dialog.press(TopKey.USER, 0);
    assertFalse(dialog.type(3));
    assertFalse(dialog.type(-1));
    assertFalse(dialog.press(TopKey.INTERRUPT, 0));
  }
}
