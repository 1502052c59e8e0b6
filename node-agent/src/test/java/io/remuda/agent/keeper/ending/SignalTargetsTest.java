package io.remuda.agent.keeper.ending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.keeper.ReachedProcesses;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is asked, of which processes. */
class SignalTargetsTest {
  private static final int USR1 = 10;
  private static final int TERM = 15;

  private final ProcessPicture task = new ProcessPicture();

  /** Returns who is asked to end, and behind a bar which shells are held. */
  private String toEnd(int signal, ReachedProcesses reach) {
    SignalTargets.Choice choice =
        SignalTargets.ofEnd(signal, reach, task.members(), task.one("first"), task);
    String hold = task.names(choice.hold());
    return task.names(choice.ask()) + (hold.isEmpty() ? "" : " | " + hold);
  }

  private String toEnd() {
    return toEnd(TERM, ReachedProcesses.FIRST);
  }

  private String told(int signal, ReachedProcesses reach) {
    return told(WayOut.USER_SIGNAL, signal, reach);
  }

  private String told(WayOut way, int signal, ReachedProcesses reach) {
    return task.names(
        SignalTargets.ofSignal(way, signal, reach, task.members(), task.one("first"), task));
  }

  private String toldUsr1() {
    return told(USR1, ReachedProcesses.FIRST);
  }

  @Test
  void a_program_is_asked_and_its_loaders_are_not() {
    task.program("first", null, TERM).program("loader", "first").program("loader2", "first");
    assertEquals("first", toEnd());
  }

  @Test
  void a_program_without_a_handler_is_asked_as_well() {
    task.program("first", null).program("loader", "first", TERM);
    assertEquals("first", toEnd());
    assertEquals("first", toldUsr1());
  }

  @Test
  void a_plain_shell_is_passed_over_and_held() {
    task.shell("first", null).program("python", "first", TERM).program("loader", "python");
    assertEquals("python | first", toEnd());
  }

  @Test
  void so_are_shells_in_shells() {
    task.shell("first", null).shell("inner", "first").program("python", "inner");
    assertEquals("python | first inner", toEnd());
  }

  @Test
  void a_shell_with_a_trap_is_asked_and_what_it_runs_in_the_background_is_not() {
    task.shell("first", null, TERM).program("python", "first", TERM).inBackground("python");
    assertEquals("first", toEnd());
  }

  @Test
  void a_trap_waits_for_what_is_in_the_foreground_so_that_is_asked_too() {
    task.shell("first", null, TERM)
        .program("python", "first")
        .program("server", "first")
        .inBackground("server");
    assertEquals("first python", toEnd());
  }

  @Test
  void a_pipeline_keeps_its_tail_while_its_head_saves() {
    task.shell("first", null).program("python", "first", TERM).program("tee", "first");
    assertEquals("python | first", toEnd());
  }

  @Test
  void a_pipeline_in_which_nobody_handles_it_is_asked_as_a_whole() {
    task.shell("first", null).program("sort", "first").program("tee", "first");
    assertEquals("sort tee | first", toEnd());
  }

  @Test
  void a_shell_that_has_started_nothing_is_asked_itself() {
    task.shell("first", null);
    assertEquals("first", toEnd());
  }

  @Test
  void a_launcher_is_passed_over_though_it_would_pass_the_signal_on() {
    task.launcher("first", null, TERM).program("python", "first", TERM).program("loader", "python");
    assertEquals("python", toEnd());
    assertEquals("python", told(USR1, ReachedProcesses.FIRST));
  }

  @Test
  void the_first_process_of_a_container_that_drops_signals_is_passed_over() {
    task.program("first", null).deaf("first").program("child", "first");
    assertEquals("child", toEnd());
  }

  @Test
  void once_the_first_process_has_ended_what_has_no_parent_is_asked() {
    task.program("first", null)
        .program("conda", "first")
        .program("python", "conda", TERM)
        .program("loader", "python")
        .program("tee", "conda")
        .ends("first")
        .ends("conda");
    assertEquals(
        "python tee", task.names(SignalTargets.ofRest(TERM, task.members(), Set.of(), task).ask()));
  }

  @Test
  void a_hint_reaches_what_a_shell_has_started_and_never_ends_the_shell() {
    task.shell("first", null).program("python", "first", USR1);
    assertEquals("python", toldUsr1());
    task.ends("python");
    assertEquals("", toldUsr1());
    assertEquals("first", told(TERM, ReachedProcesses.FIRST));
  }

  @Test
  void a_hint_for_a_shell_with_a_trap_is_for_the_shell_alone() {
    task.shell("first", null, USR1).program("python", "first", USR1);
    assertEquals("first", toldUsr1());
  }

  @Test
  void all_reaches_every_process_that_handles_it_below_any_launcher() {
    task.program("first", null)
        .program("rank0", "first", USR1)
        .program("rank1", "first", USR1)
        .program("loader", "rank1");
    assertEquals("rank0 rank1", told(USR1, ReachedProcesses.ALL));
    assertEquals("rank0 rank1", toEnd(USR1, ReachedProcesses.ALL));
    assertEquals("first rank0 rank1 loader", told(TERM, ReachedProcesses.ALL));
  }

  @Test
  void all_below_a_shell_holds_the_shell_when_it_is_to_end() {
    task.shell("first", null).program("torchrun", "first").program("rank0", "torchrun", USR1);
    assertEquals("rank0 | first", toEnd(USR1, ReachedProcesses.ALL));
  }

  @Test
  void children_leaves_out_the_first_process_though_it_handles_it() {
    task.shell("first", null, USR1).program("python", "first", USR1);
    assertEquals("python", told(USR1, ReachedProcesses.CHILDREN));
    task.ends("python");
    assertEquals("", told(USR1, ReachedProcesses.CHILDREN));
  }

  @Test
  void everybody_is_everybody() {
    task.shell("first", null).program("python", "first", TERM).program("loader", "python");
    assertEquals("first python loader", toEnd(TERM, ReachedProcesses.EVERY));
  }

  @Test
  void a_warning_of_children_ends_nobody_who_does_not_expect_it() {
    task.shell("first", null, USR1).program("python", "first").program("loader", "python");
    assertEquals("", told(WayOut.WARNING, USR1, ReachedProcesses.CHILDREN));
    assertEquals("", told(WayOut.WARNING, TERM, ReachedProcesses.CHILDREN));
    assertEquals("", told(USR1, ReachedProcesses.CHILDREN));
    assertEquals("python loader", told(TERM, ReachedProcesses.CHILDREN));
  }

  @Test
  void what_srun_has_started_gets_a_signal_from_srun_alone() {
    task.shell("first", null)
        .srun("srun", "first", USR1, TERM)
        .program("rank0", "srun", USR1, TERM)
        .program("loader", "rank0", USR1)
        .program("beside", "first", USR1);
    assertEquals("srun beside", told(USR1, ReachedProcesses.CHILDREN));
    assertEquals("srun beside", told(WayOut.WARNING, USR1, ReachedProcesses.CHILDREN));
    assertEquals("srun beside", told(USR1, ReachedProcesses.ALL));
    assertEquals("srun beside", toldUsr1());
    task.ends("beside");
    assertEquals("srun | first", toEnd());
  }

  @Test
  void what_srun_does_not_pass_on_is_for_what_it_has_started() {
    task.shell("first", null).srun("srun", "first").program("rank0", "srun", USR1);
    assertEquals("rank0", told(USR1, ReachedProcesses.CHILDREN));
    assertEquals("rank0", toldUsr1());
  }

  @Test
  void an_srun_gets_the_signal_for_all_that_it_has_started() {
    task.shell("first", null)
        .srun("srun", "first", USR1, TERM)
        .shell("wrapper", "srun", USR1, TERM)
        .inBackground("wrapper")
        .program("rank", "wrapper", USR1, TERM);
    assertEquals("srun", told(USR1, ReachedProcesses.CHILDREN));
    assertEquals("srun", told(USR1, ReachedProcesses.ALL));
    assertEquals("srun | first", toEnd());
  }
}
