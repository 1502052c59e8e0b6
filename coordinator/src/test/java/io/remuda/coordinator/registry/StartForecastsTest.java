package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartForecastsTest {

  private static final ResourceRequest WHOLE = new ResourceRequest(4, 0);

  private static Map<JobId, JobForecast> forecast(TestCluster cluster) {
    return cluster.tasks.forecast(cluster.nodes.all(), cluster.now());
  }

  private static Long minutes(TestCluster cluster, long job) {
    Long millis = forecast(cluster).get(new JobId(job)).startsInMillis();
    return millis == null ? null : millis / 60_000;
  }

  private static TestCluster allRun(TestCluster cluster, String node) {
    List<TaskReport> reports = new ArrayList<>();
    for (PlacedTask task : cluster.tasks.placed()) {
      reports.add(new TaskReport(task.attemptId(), TaskPhase.RUNNING, 7, null, null));
    }
    return cluster.reported(node, reports.toArray(TaskReport[]::new));
  }

  @Test
  void the_time_limit_of_what_runs_says_when_the_next_may_start() {
    TestCluster cluster = new TestCluster().node("n1").commands().limited();
    cluster.job(1, 1, WHOLE).job(2, 1, WHOLE).job(3, 1, WHOLE).schedule();
    allRun(cluster, "n1").after(Duration.ofMinutes(20)).schedule();
    assertEquals(new JobForecast(1, 2_400_000L), forecast(cluster).get(new JobId(2)));
    assertEquals(100, minutes(cluster, 3));
    assertNull(forecast(cluster).get(new JobId(1)));
  }

  @Test
  void without_a_limit_the_tasks_of_the_job_that_have_ended_say_how_long_one_takes() {
    TestCluster cluster = new TestCluster().node("n1").commands();
    cluster.job(1, 2, WHOLE).job(2, 1, WHOLE).schedule();
    allRun(cluster, "n1").schedule();
    assertNull(forecast(cluster).get(new JobId(2)).startsInMillis());
    PlacedTask first = cluster.tasks.placed().get(0);
    TaskEnd end = new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "", null, null, 600_000L);
    cluster
        .after(Duration.ofMinutes(10))
        .reported("n1", new TaskReport(first.attemptId(), TaskPhase.ENDED, 7, null, end))
        .schedule();
    allRun(cluster, "n1").after(Duration.ofMinutes(4)).schedule();
    assertEquals(6, minutes(cluster, 2));
  }

  @Test
  void a_task_of_a_silent_node_has_no_known_end() {
    TestCluster cluster = new TestCluster().node("n1").commands().limited();
    cluster.job(1, 1, WHOLE).job(2, 1, WHOLE).schedule();
    allRun(cluster, "n1").schedule().silent("n1").schedule();
    assertNull(minutes(cluster, 2));
  }

  @Test
  void a_change_of_the_order_is_seen_at_once() {
    TestCluster cluster = new TestCluster().node("n1").commands().limited();
    cluster.job(1, 1, WHOLE).job(2, 1, WHOLE).job(3, 1, WHOLE).schedule();
    assertEquals(2, forecast(cluster).get(new JobId(3)).turn());
    JobSpec third = cluster.tasks.job(new JobId(3)).orElseThrow();
    cluster
        .tasks
        .requests()
        .change(third.withTerms(third.terms().withArray(TaskArrayTerms.NONE.withFirst(1))));
    assertEquals(1, forecast(cluster).get(new JobId(3)).turn());
    cluster.tasks.requests().hold(new JobId(3), cluster.now());
    assertNull(forecast(cluster).get(new JobId(3)));
  }
}
