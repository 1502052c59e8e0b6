package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.query.OnlyTaskEnds;
import io.remuda.coordinator.store.query.UsageQueries;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.ProfileRow;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every store does, whatever database it is in. */
abstract class StoreContract {
  private static final UserLimits LIMITS = new UserLimits(4L, 1500L, null, -1L);

  /** Opens the store of this test, or opens it again. */
  abstract StoreOpener.Opened open() throws Exception;

  private StoreState reopened() throws Exception {
    StoreOpener.Opened opened = open();
    opened.journal().close();
    return opened.state();
  }

  /** Returns what is there again after these entries, all in one commit. */
  private StoreState after(StoreChange... entries) throws Exception {
    StoreOpener.Opened opened = open();
    write(opened.journal(), entries);
    opened.journal().close();
    return reopened();
  }

  @Test
  void what_was_written_is_there_after_a_restart() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec live = spec(1, 1000);
    JobSpec over = spec(2, 1);
    write(
        opened.journal(),
        new StoreChange.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new StoreChange.JobAdded(over, row(over, TaskState.WAITING, 0)),
        new StoreChange.TaskMoved(task(1, 5, TaskState.RUNNING)),
        new StoreChange.UserSet(new UserRow("ann", 3, "00ff", LIMITS)),
        new StoreChange.UseNoted("ann", 12.5),
        new StoreChange.NodeDrained("n1", ""),
        new StoreChange.NodeDrained("n2", ""));
    write(
        opened.journal(),
        new StoreChange.JobMoved(row(over, TaskState.FAILED, 3000)),
        new StoreChange.TaskMoved(task(2, 0, TaskState.FAILED)),
        new StoreChange.NodeResumed("n2"));
    opened.journal().close();
    StoreState state = reopened();
    assertTrue(state.epoch() > opened.state().epoch());
    assertEquals(3, state.nextJob());
    assertEquals(
        List.of(new StoreState.LiveJob(live, row(live, TaskState.RUNNING, 0))), state.jobs());
    assertEquals(Map.of(live.id(), List.of(task(1, 5, TaskState.RUNNING))), state.tasks());
    assertEquals(List.of(new UserRow("ann", 3, "00ff", LIMITS)), state.users());
    assertEquals(Map.of("ann", 12.5), state.used());
    assertEquals(Map.of("n1", NodeDrain.whole("")), state.drained());
  }

  /** Also for a server of an earlier build, which knows nothing of such tasks. */
  @Test
  void the_numbers_of_an_arrays_tasks_are_given_to_no_other_job() throws Exception {
    JobSpec plain = spec(1, 3);
    JobSpec array =
        plain.withTerms(plain.terms().withArray(new TaskArrayTerms(null, 0, 0, 0, true)));
    assertEquals(
        5, after(new StoreChange.JobAdded(array, row(array, TaskState.RUNNING, 0))).nextJob());
  }

  @Test
  void the_newest_reason_of_a_drained_node_is_there_again() throws Exception {
    StoreState state =
        after(
            new StoreChange.NodeDrained("n1", ""),
            new StoreChange.NodeDrained("n2", "its fan is loud"),
            new StoreChange.NodeDrained("n3", "no reason for long"),
            new StoreChange.NodeDrained("n1", "a new disk"),
            new StoreChange.NodeResumed("n3"));
    assertEquals(
        Map.of("n1", NodeDrain.whole("a new disk"), "n2", NodeDrain.whole("its fan is loud")),
        state.drained());
  }

  @Test
  void drained_gpus_are_there_again_beside_and_without_their_nodes() throws Exception {
    DeviceId one = new DeviceId("GPU-1");
    DeviceId instance = new DeviceId("MIG-GPU-2/7/0");
    StoreState state =
        after(
            new StoreChange.NodeDrained("n1", "a new disk"),
            new StoreChange.GpuDrained("n1", one, ""),
            new StoreChange.GpuDrained("n1", instance, "errors"),
            new StoreChange.GpuDrained("n2", one, "a fan"),
            new StoreChange.GpuDrained("n3", one, ""),
            new StoreChange.NodeDrained("n3", ""),
            new StoreChange.GpuDrained("n1", one, "two fans"),
            new StoreChange.NodeResumed("n3"),
            new StoreChange.GpuResumed("n3", one));
    assertEquals(
        Map.of(
            "n1",
            new NodeDrain("a new disk", Map.of(one, "two fans", instance, "errors")),
            "n2",
            new NodeDrain(null, Map.of(one, "a fan"))),
        state.drained());
  }

  @Test
  void a_task_that_had_succeeded_can_be_written_again_with_its_gang() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec live = spec(1, 10);
    TaskId task = new TaskId(live.id(), 5);
    write(
        opened.journal(),
        new StoreChange.JobAdded(live, row(live, TaskState.RUNNING, 0)),
        new StoreChange.TaskMoved(task(1, 5, TaskState.RUNNING)));
    write(opened.journal(), new StoreChange.TaskMoved(task(1, 5, TaskState.SUCCEEDED)));
    write(
        opened.journal(),
        new StoreChange.TaskReturned(task),
        new StoreChange.TaskMoved(task(1, 5, TaskState.WAITING)));
    write(opened.journal(), new StoreChange.TaskMoved(task(1, 5, TaskState.RUNNING)));
    opened.journal().close();
    assertEquals(List.of(task(1, 5, TaskState.RUNNING)), reopened().tasks().get(live.id()));
  }

  @Test
  void the_start_of_a_gang_is_there_again() throws Exception {
    JobSpec live = spec(1, 1);
    GangStart.Member member =
        new GangStart.Member("n1", "10.0.0.1", 20_001, List.of(new DeviceId("GPU-1")));
    GangStart start = new GangStart(3, 1, 20_007, List.of(member));
    StoreState again =
        after(
            new StoreChange.JobAdded(live, row(live, TaskState.RUNNING, 0)),
            new StoreChange.JobMoved(row(live, TaskState.RUNNING, 0).started(start)));
    assertEquals(start, again.jobs().get(0).row().gang());
  }

  @Test
  void how_often_a_task_has_left_its_place_is_there_again() throws Exception {
    JobSpec live = spec(1, 10);
    StoreState state =
        after(
            new StoreChange.JobAdded(live, row(live, TaskState.RUNNING, 0)),
            new StoreChange.TaskMoved(StoreSamples.preempted(1, 5)));
    TaskRow again = state.tasks().get(live.id()).get(0);
    assertEquals(3, again.preemptions());
    assertEquals(90_000, again.lostMillis());
    assertEquals(StoreSamples.preempted(1, 5).training(), again.training());
    assertEquals(2, again.gpus());
  }

  @Test
  void what_was_learned_of_types_is_there_again_and_what_was_forgotten_is_not() throws Exception {
    StoreOpener.Opened opened = open();
    Profile train = Profile.unknown(new JobType("ann", "train")).ran(5L << 30, 80, 1000);
    Profile test = Profile.unknown(new JobType("ann", "test")).failed(1L << 30);
    write(
        opened.journal(),
        new StoreChange.ProfileSet(train, 1),
        new StoreChange.ProfileSet(test, 2));
    write(
        opened.journal(),
        new StoreChange.ProfileSet(train.ran(6L << 30, null, 2000), 3),
        new StoreChange.ProfileForgotten(test.type()));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(
          List.of(new ProfileRow(train.ran(6L << 30, null, 2000), 3)), reader.profiles("ann"));
      assertEquals(List.of(), reader.profiles("bob"));
    }
    opened.journal().close();
    assertEquals(List.of(train.ran(6L << 30, null, 2000)), reopened().profiles());
  }

  @Test
  void what_attempts_used_is_added_up_by_day_user_type_and_node() throws Exception {
    StoreOpener.Opened opened = open();
    UsageKey ann = new UsageKey(7, "ann", "train", "n1");
    UsageKey later = new UsageKey(8, "ann", "train", "n1");
    UsageKey bob = new UsageKey(7, "bob", "train", "n1");
    write(
        opened.journal(),
        new StoreChange.UsageAdded(ann, ran(1)),
        new StoreChange.UsageAdded(bob, ran(20)),
        new StoreChange.UsageAdded(ann, ran(2)));
    write(
        opened.journal(),
        new StoreChange.UsageAdded(later, ran(40)),
        new StoreChange.UsageAdded(ann, ran(4)));
    opened.journal().close();
    StoreOpener.Opened again = open();
    write(again.journal(), new StoreChange.UsageAdded(ann, ran(8)));
    try (StoreReader reader = again.store().reader()) {
      assertEquals(
          List.of(new DailyUsageRow(ann, ran(15)), new DailyUsageRow(bob, ran(20))),
          UsageQueries.days(reader, 7, 7, null));
      assertEquals(
          List.of(new DailyUsageRow(ann, ran(15)), new DailyUsageRow(later, ran(40))),
          UsageQueries.days(reader, 6, 9, "ann"));
    }
    again.journal().close();
  }

  @Test
  void a_user_with_very_many_types_has_rows_for_some_and_one_for_the_others() throws Exception {
    StoreOpener.Opened opened = open();
    StoreChange[] entries = new StoreChange[UsageKey.MOST_ROWS + 2];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new StoreChange.UsageAdded(new UsageKey(7, "ann", "type " + i, "n1"), ran(1));
    }
    write(opened.journal(), entries);
    write(opened.journal(), entries[entries.length - 1], entries[0]);
    try (StoreReader reader = opened.store().reader()) {
      List<DailyUsageRow> rows = UsageQueries.days(reader, 7, 7, "ann");
      assertEquals(UsageKey.MOST_ROWS + 1, rows.size());
      assertEquals(new DailyUsageRow(new UsageKey(7, "ann", "others", "n1"), ran(3)), rows.get(0));
      assertEquals(new DailyUsageRow(new UsageKey(7, "ann", "type 0", "n1"), ran(2)), rows.get(1));
    }
    opened.journal().close();
  }

  private static UsageTotals ran(long millis) {
    return new UsageTotals(0, 0, 0, millis, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void how_fast_types_are_together_is_there_again() throws Exception {
    JobType eval = new JobType("bob", "eval");
    Profile train =
        Profile.unknown(new JobType("ann", "train"))
            .ran(5L << 30, 80, 9000)
            .took(PairSpeeds.Run.alone("H200", 9000))
            .took(new PairSpeeds.Run("H200", 15_000, 0, eval, 1, 1));
    assertEquals(List.of(new PairSpeeds.Beside(eval, 60)), train.speeds().beside());
    assertEquals(List.of(train), after(new StoreChange.ProfileSet(train, 1)).profiles());
  }

  @Test
  void a_text_with_a_nul_is_kept_without_it() throws Exception {
    StoreOpener.Opened opened = open();
    JobSpec spec = spec(1, 1);
    JobRow row = row(spec, TaskState.FAILED, 3000).because("a\0b", 1);
    write(opened.journal(), new StoreChange.JobAdded(spec, row));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals("a\ufffdb", reader.job(spec.id()).orElseThrow().reason());
    }
    opened.journal().close();
    reopened();
  }

  @Test
  void a_job_whose_clock_was_set_while_it_ran_has_run_as_long_as_its_keeper_measured()
      throws Exception {
    StoreOpener.Opened opened = open();
    TaskEnd end = new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "succeeded", 5L, 6L, 30_000L);
    JobRow stepped = row(spec(1, 1), TaskState.SUCCEEDED, 2000 + 3_630_000);
    write(
        opened.journal(),
        new StoreChange.JobAdded(spec(1, 1), stepped),
        new StoreChange.TaskMoved(
            StoreSamples.first(1, TaskState.SUCCEEDED, stepped.ended(), end)));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(
          Map.of(new JobId(1), new OnlyTaskEnds.End(null, 30_000L)),
          OnlyTaskEnds.of(List.of(stepped), reader));
    }
    opened.journal().close();
  }
}
