package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.actor.MemoryLog;
import io.remuda.coordinator.api.AcceptedJobs;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.CoordinatorPersistence;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.LiveJobLimits;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

class JobAdmissionTest {

  private static final long COMPLETE_AT = 1000;
  private static final CoordinatorCommand.Caller ANN = new CoordinatorCommand.Caller("ann", false);
  private static final NoticeSettings NOTICES =
      new NoticeSettings(List.of(), List.of("hooks.example.org", "*.lab.example", "10.0.0.5"));

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final MemoryLog log = new MemoryLog();
  private final CoordinatorPersistence durable = log.durable();
  private final LiveJobLimiter load = new LiveJobLimiter(LiveJobLimits.NONE);
  private final EndedJobEviction endedJobs = new EndedJobEviction(tasks, load);
  private final JobAdmission admission =
      new JobAdmission(tasks, nodes, durable.jobRows(), log, load, endedJobs, COMPLETE_AT, NOTICES);
  private final TestInbox<Reply<AcceptedJobs>> answers = TestInbox.create();

  private static NewJob job(double cpus) {
    return new NewJob(
        "job",
        "ann",
        new ResourceRequest(cpus, 0),
        JobTerms.placed(PlacementPolicy.PACK),
        new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
        1,
        false,
        null,
        List.of());
  }

  private Reply<?> check(double cpus, long now) {
    return answer(
        admission.check(
            new CoordinatorCommand.CheckJobs(
                List.of(job(cpus)), ReferencedStoredJobs.NONE, ANN, answers.getRef()),
            now));
  }

  /** The answer that a decision gives at once. */
  private static Reply<?> answer(Decision decision) {
    return (Reply<?>) ((Effect.Tell<?>) decision.atOnce().get(0)).message();
  }

  private void fourCores() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  @Test
  void what_is_too_large_for_all_nodes_is_refused() {
    fourCores();
    Reply.No<?> no = assertInstanceOf(Reply.No.class, check(8, COMPLETE_AT));
    assertEquals(Rejection.Code.NEVER_FITS, no.rejection().code());
    assertInstanceOf(Reply.Yes.class, check(4, COMPLETE_AT));
  }

  private Reply<?> checkEach(int tasks, long other) {
    NewJob each =
        new NewJob(
            "each",
            "ann",
            new ResourceRequest(1, 0),
            JobTerms.USUAL.withAfter(List.of(JobDependency.parse(other + ":each"))),
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            tasks,
            false,
            null,
            List.of());
    ReferencedStoredJobs stored =
        new ReferencedStoredJobs(Map.of(), Map.of(new JobId(77), TaskState.FAILED), Set.of());
    return answer(
        admission.check(
            new CoordinatorCommand.CheckJobs(List.of(each), stored, ANN, answers.getRef()), 0));
  }

  @Test
  void a_job_that_follows_another_task_by_task_has_as_many_tasks() {
    admission.admit(List.of(job(1)), ReferencedStoredJobs.NONE, ANN, 0);
    long live = tasks.jobs().get(0).id().value();
    assertInstanceOf(Reply.Yes.class, checkEach(1, live));
    Reply.No<?> no = assertInstanceOf(Reply.No.class, checkEach(2, live));
    assertEquals(
        "after " + live + ":each: task by task requires as many tasks as it has, 1, got 2",
        no.rejection().message());
    no = assertInstanceOf(Reply.No.class, checkEach(1, 77));
    assertEquals(
        "after 77:each: it failed, so some of the tasks would never start: use :any or :fail",
        no.rejection().message());
  }

  @Test
  void a_user_has_no_more_waiting_jobs_than_the_limit_and_reads_the_numbers() {
    tasks.userUse().limit("ann", new UserLimits(null, null, null, 2L));
    assertInstanceOf(
        Reply.Yes.class, admission.admit(List.of(job(1)), ReferencedStoredJobs.NONE, ANN, 0));
    assertInstanceOf(
        Reply.Yes.class, admission.admit(List.of(job(1)), ReferencedStoredJobs.NONE, ANN, 0));
    Reply.No<?> no =
        assertInstanceOf(
            Reply.No.class, admission.admit(List.of(job(1)), ReferencedStoredJobs.NONE, ANN, 0));
    assertEquals(Rejection.Code.TOO_MANY, no.rejection().code());
    assertEquals(
        "limit of user ann: 2 waiting jobs at once, has 2, with this 3", no.rejection().message());
    fourCores();
    SeenOrders.schedule(tasks, nodes, 0);
    assertInstanceOf(
        Reply.Yes.class, admission.admit(List.of(job(1)), ReferencedStoredJobs.NONE, ANN, 0));
  }

  @Test
  void a_job_that_is_larger_than_the_limit_of_its_user_is_refused() {
    tasks.userUse().limit("*", new UserLimits(null, 2000L, null, null));
    assertInstanceOf(Reply.Yes.class, check(2, 0));
    Reply.No<?> no = assertInstanceOf(Reply.No.class, check(3, 0));
    assertEquals(
        "this can never run: limit of user ann: 2 CPUs at once, has 0, wanted 3",
        no.rejection().message());
  }

  private Reply<?> checkOn(String only, String except) {
    NodeConstraints where =
        new NodeConstraints(
            new TreeSet<>(List.of(only)), new TreeSet<>(List.of(except)), new TreeMap<>());
    NewJob named =
        new NewJob(
            "named",
            "ann",
            new ResourceRequest(1, 0).withNode(where),
            JobTerms.USUAL,
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            1,
            false,
            null,
            List.of());
    return answer(
        admission.check(
            new CoordinatorCommand.CheckJobs(
                List.of(named), ReferencedStoredJobs.NONE, ANN, answers.getRef()),
            COMPLETE_AT));
  }

  @Test
  void a_name_of_no_node_is_refused_with_the_names_that_there_are() {
    assertInstanceOf(Reply.Yes.class, checkOn("n9", "n8"));
    fourCores();
    Reply.No<?> no = assertInstanceOf(Reply.No.class, checkOn("n1", "n2"));
    assertEquals("no node is named n2; there are n1", no.rejection().message());
    no = assertInstanceOf(Reply.No.class, checkOn("n3", "n1"));
    assertEquals("no node is named n3; there are n1", no.rejection().message());
  }

  private Reply<?> checkGang(int members, int gpus, List<GangRoleSpec> roles) {
    NewJob gang =
        new NewJob(
            "gang",
            "ann",
            new ResourceRequest(0, gpus),
            JobTerms.USUAL.with(
                draft -> draft.gang = new GangTerms(true, GangTerms.Failure.FAIL, false, roles)),
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            members,
            false,
            null,
            List.of());
    return answer(
        admission.check(
            new CoordinatorCommand.CheckJobs(
                List.of(gang), ReferencedStoredJobs.NONE, ANN, answers.getRef()),
            0));
  }

  /** Otherwise no message with it could be sent, and its nodes would be lost again and again. */
  @Test
  void a_gang_that_no_message_can_describe_is_refused() {
    assertInstanceOf(Reply.Yes.class, checkGang(10_000, 0, List.of()));
    assertInstanceOf(Reply.Yes.class, checkGang(2_000, 8, List.of()));
    Reply.No<?> many = assertInstanceOf(Reply.No.class, checkGang(11_000, 0, List.of()));
    assertEquals(Rejection.Code.TOO_MANY, many.rejection().code());
    assertEquals(
        "a gang of 11000 members with 0 GPUs is too large: each member is told the places of all;"
            + " at most 10485 without GPUs, fewer with",
        many.rejection().message());
    assertInstanceOf(Reply.No.class, checkGang(10_000, 8, List.of()));
    GangRoleSpec role = new GangRoleSpec("Worker", 10_000, 1, 0, new ResourceRequest(1, 8));
    assertInstanceOf(Reply.No.class, checkGang(10_000, 0, List.of(role)));
  }

  @Test
  void it_may_fit_a_node_that_has_not_come_back_to_a_new_server_yet() {
    fourCores();
    assertInstanceOf(Reply.Yes.class, check(8, COMPLETE_AT - 1));
  }

  @Test
  void before_any_node_has_joined_nothing_is_too_large() {
    assertInstanceOf(Reply.Yes.class, check(1000, COMPLETE_AT));
  }

  @Test
  void whom_a_job_may_tell_is_checked_whichever_way_it_was_submitted() {
    for (String to : List.of("/opt/tell", "http://127.0.0.1/", "ann@example.org")) {
      NewJob job = NoticePolicyTest.telling(to);
      assertInstanceOf(Reply.No.class, answer(submit(job, ReferencedStoredJobs.NONE)), to);
      Decision check =
          admission.check(
              new CoordinatorCommand.CheckJobs(
                  List.of(job(1), job), ReferencedStoredJobs.NONE, ANN, answers.getRef()),
              COMPLETE_AT);
      Rejection no = ((Reply.No<?>) answer(check)).rejection();
      assertTrue(no.message().contains("notifyTo: "), no::message);
    }
    assertEquals(List.of(), tasks.jobs());
  }

  @Test
  void a_submission_is_its_rows_and_an_answer_once_they_are_durable() {
    Decision decision =
        admission.submit(
            new CoordinatorCommand.SubmitJobs(
                List.of(job(1), job(2)), ReferencedStoredJobs.NONE, ANN, answers.getRef()),
            COMPLETE_AT);
    assertEquals(
        new Decision(
            List.of(),
            decision.rows(),
            List.of(),
            List.of(
                new Effect.Tell<>(
                    answers.getRef(),
                    Reply.of(AcceptedJobs.of(List.of(new JobId(1), new JobId(2)))))),
            true),
        decision);
    assertEquals(
        List.of("JobAdded", "Happened", "JobAdded", "Happened"),
        decision.rows().stream().map(row -> row.getClass().getSimpleName()).toList());
  }

  @Test
  void a_refused_submission_changes_nothing_and_is_answered_at_once() {
    fourCores();
    Decision decision =
        admission.submit(
            new CoordinatorCommand.SubmitJobs(
                List.of(job(1), job(8)), ReferencedStoredJobs.NONE, ANN, answers.getRef()),
            COMPLETE_AT);
    assertFalse(decision.waitsForCommit());
    assertInstanceOf(Reply.No.class, answer(decision));
    assertEquals(List.of(), tasks.jobs());
  }

  private static NewJob keyed(JobDependency... after) {
    return new NewJob(
        "job",
        "ann",
        new ResourceRequest(1, 0),
        JobTerms.placed(PlacementPolicy.PACK).withAfter(List.of(after)),
        new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
        1,
        false,
        "k1",
        List.of());
  }

  private Decision submit(NewJob job, ReferencedStoredJobs stored) {
    return admission.submit(
        new CoordinatorCommand.SubmitJobs(List.of(job), stored, ANN, answers.getRef()),
        COMPLETE_AT);
  }

  @Test
  void a_repeated_submission_has_the_number_of_the_first_and_no_rows() {
    submit(keyed(), ReferencedStoredJobs.NONE);
    Decision again = submit(keyed(), ReferencedStoredJobs.NONE);
    AcceptedJobs known = new AcceptedJobs(List.of(new JobId(1)), true);
    assertEquals(
        Decision.NONE
            .thenAnswer(answers.getRef(), Reply.of(known)) // it may not be durable
            .placing(),
        again);
  }

  @Test
  void a_submission_that_the_store_knows_is_known_even_if_its_dependency_could_not_be_met() {
    ReferencedStoredJobs stored =
        new ReferencedStoredJobs(Map.of("k1", new JobId(7)), Map.of(), Set.of());
    assertEquals(
        Decision.NONE
            .thenAnswer(answers.getRef(), Reply.of(new AcceptedJobs(List.of(new JobId(7)), true)))
            .placing(),
        submit(keyed(JobDependency.parse("3")), stored));
  }

  private String refusal(ReferencedStoredJobs stored) {
    NewJob job = keyed(JobDependency.parse("3"));
    Reply<?> answer = (Reply<?>) answer(submit(job, stored));
    assertEquals(List.of(), tasks.jobs());
    return ((Reply.No<?>) answer).rejection().message();
  }

  @Test
  void a_job_after_one_that_does_not_exist_or_ended_otherwise_is_refused() {
    JobId other = new JobId(3);
    assertEquals("after 3:ok: there is no such job", refusal(ReferencedStoredJobs.NONE));
    assertEquals(
        "after 3:ok: it is over and was removed, so nobody knows how it ended",
        refusal(new ReferencedStoredJobs(Map.of(), Map.of(), Set.of(other))));
    assertEquals(
        "after 3:ok: it failed, so this would never start",
        refusal(new ReferencedStoredJobs(Map.of(), Map.of(other, TaskState.FAILED), Set.of())));
  }

  @Test
  void a_job_after_one_that_has_ended_as_it_wants_starts_at_once() {
    ReferencedStoredJobs stored =
        new ReferencedStoredJobs(Map.of(), Map.of(new JobId(3), TaskState.SUCCEEDED), Set.of());
    assertTrue(submit(keyed(JobDependency.parse("3")), stored).waitsForCommit());
    assertEquals(TaskState.WAITING, tasks.stateOf(new JobId(1)).orElseThrow());
  }
}
