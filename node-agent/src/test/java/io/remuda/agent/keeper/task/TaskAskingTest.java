package io.remuda.agent.keeper.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.ending.ProcessPicture;
import org.junit.jupiter.api.Test;

/** From the request to end to the last process; time is moved. */
class TaskAskingTest {
  private static final int TERM = 15;
  private static final int USR1 = 10;
  private static final EndingSignal FIRST = EndingSignal.term(ReachedProcesses.FIRST);

  private final ProcessPicture task = new ProcessPicture();
  private final TaskAsking asking = new TaskAsking();
  private long now = 1_000_000;

  /** Looks once, and returns what is done. */
  private String look() {
    TaskAsking.Step step = asking.next(task.members(), task.one("first"), now, task);
    StringBuilder done = new StringBuilder();
    add(done, "stop", task.names(step.stop()));
    add(done, "ask by " + step.signal(), task.names(step.ask()));
    add(done, "resume", task.names(step.resume()));
    add(done, "release", task.names(step.release()));
    return done.toString();
  }

  private static void add(StringBuilder done, String what, String who) {
    if (!who.isEmpty()) {
      done.append(done.length() == 0 ? "" : ", ").append(what).append(": ").append(who);
    }
  }

  @Test
  void a_first_process_is_asked_once_and_its_loaders_when_it_has_ended() {
    task.program("first", null, TERM).program("loader", "first").program("helper", "loader");
    asking.begin(FIRST, now);
    assertEquals("ask by 15: first", look());
    now += 5000;
    assertEquals("", look());
    task.ends("first");
    asking.firstEnded(now);
    assertEquals("ask by 15: loader", look());
    assertEquals("", look());
    task.ends("loader");
    assertEquals("ask by 15: helper", look());
  }

  @Test
  void what_was_started_after_the_request_may_save_undisturbed() {
    task.program("first", null, TERM);
    asking.begin(FIRST, now);
    look();
    task.program("saver", "first").since("saver", now / 10 + 1).ends("first");
    asking.firstEnded(now + 100);
    assertEquals("", look());
  }

  @Test
  void a_shell_is_stopped_before_what_it_has_started_is_asked() {
    task.shell("first", null).program("python", "first", TERM).program("loader", "python");
    asking.begin(FIRST, now);
    assertEquals("stop: first", look());
    task.state("first", 'T');
    assertEquals("ask by 15: python", look());
    assertEquals("", look());
    task.ends("loader").ends("python");
    assertEquals("release: first", look());
  }

  @Test
  void a_shell_that_has_become_a_program_meanwhile_goes_on_and_is_asked() {
    task.shell("first", null).program("ls", "first");
    asking.begin(FIRST, now);
    assertEquals("stop: first", look());
    task.ends("ls").state("first", 'T');
    assertEquals("ask by 15: first", look());
  }

  @Test
  void a_pipeline_has_a_moment_after_its_head_has_saved() {
    task.shell("first", null).program("python", "first", TERM).program("tee", "first");
    asking.begin(FIRST, now);
    look();
    task.state("first", 'T');
    assertEquals("ask by 15: python", look());
    task.ends("python");
    assertEquals("", look());
    now += 499;
    assertEquals("", look());
    now += 1;
    assertEquals("release: first", look());
    task.ends("first");
    asking.firstEnded(now);
    assertEquals("ask by 15: tee", look());
  }

  @Test
  void a_shell_that_cannot_be_stopped_does_not_keep_the_others_from_being_asked() {
    task.shell("first", null).program("python", "first", TERM);
    asking.begin(FIRST, now);
    String done = "";
    for (int i = 0; i < 100 && !done.startsWith("ask"); i++) {
      done = look();
    }
    assertEquals("ask by 15: python", done);
  }

  @Test
  void inner_shells_end_before_outer_ones() {
    task.shell("first", null)
        .shell("inner", "first")
        .program("a", "inner", TERM)
        .program("b", "first", TERM);
    asking.begin(FIRST, now);
    look();
    task.state("first", 'T').state("inner", 'T');
    assertEquals("ask by 15: a b", look());
    task.ends("a");
    assertEquals("release: inner", look());
    task.ends("inner").ends("b");
    assertEquals("release: first", look());
  }

  @Test
  void a_launcher_that_outlives_what_it_has_started_is_asked_then() {
    task.launcher("first", null).program("python", "first", TERM);
    asking.begin(FIRST, now);
    assertEquals("ask by 15: python", look());
    task.ends("python");
    assertEquals("ask by 15: first", look());
  }

  @Test
  void a_signal_of_its_own_is_followed_by_sigterm_once_the_first_process_has_ended() {
    task.program("first", null, USR1).program("loader", "first");
    asking.begin(new EndingSignal(USR1, ReachedProcesses.FIRST), now);
    assertEquals("ask by 10: first", look());
    task.ends("first");
    asking.firstEnded(now);
    assertEquals("ask by 15: loader", look());
  }

  @Test
  void sigterm_after_a_signal_of_its_own_asks_again_and_a_repetition_does_not() {
    task.program("first", null, USR1, TERM);
    EndingSignal own = new EndingSignal(USR1, ReachedProcesses.FIRST);
    asking.begin(own, now);
    assertEquals("ask by 10: first", look());
    asking.begin(own, now);
    assertEquals("", look());
    asking.begin(FIRST, now);
    assertEquals("ask by 15: first", look());
    asking.begin(own, now);
    assertEquals("", look());
  }

  @Test
  void where_a_node_asks_all_at_once_nobody_is_stopped() {
    task.shell("first", null).program("python", "first", TERM).program("loader", "python");
    asking.begin(EndingSignal.term(ReachedProcesses.EVERY), now);
    assertEquals("ask by 15: first python loader", look());
    assertEquals("", look());
  }

  @Test
  void memory_that_others_lack_is_asked_back_from_all_though_the_first_was_asked_before() {
    task.program("first", null, TERM).program("loader", "first");
    asking.begin(FIRST, now);
    assertEquals("ask by 15: first", look());
    asking.begin(EndingSignal.term(ReachedProcesses.EVERY), now);
    assertEquals("ask by 15: loader", look());
  }

  @Test
  void what_outlives_a_first_process_that_ended_by_itself_is_asked_at_once() {
    task.program("first", null).program("a", "first").program("b", "a").ends("first");
    asking.firstEnded(now);
    assertEquals("ask by 15: a b", look());
  }

  @Test
  void nobody_is_asked_before_there_is_a_reason() {
    task.program("first", null);
    assertEquals("", look());
    assertFalse(asking.next(task.members(), task.one("first"), now, task).soon());
  }
}
