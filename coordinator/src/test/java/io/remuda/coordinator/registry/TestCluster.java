package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.MigSlot;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The registries with nodes and jobs, as tests see them: {@code cluster.node("n1", "A", "B")},
 * {@code cluster.job(1, 2, 1)} for job 1 with two tasks of one GPU each. Every change is noted.
 */
final class TestCluster {
  static final RetryPolicy PATIENT =
      new RetryPolicy(20, 3, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(10));

  final ManualTicker clock = new ManualTicker();
  final NodeRegistry nodes = new NodeRegistry();
  final TaskRegistry tasks;
  final List<TaskChange> changes = new ArrayList<>();
  private final Map<String, Long> revisions = new HashMap<>();
  private final JobBuilder jobs = new JobBuilder();

  TestCluster() {
    this(PATIENT);
  }

  TestCluster(RetryPolicy policy) {
    this(new TaskRegistry(policy));
  }

  /** A cluster that sends short tasks ahead. */
  TestCluster(RetryPolicy policy, SchedulingSettings sharing) {
    this(new TaskRegistry(policy, sharing, 0));
  }

  private TestCluster(TaskRegistry registry) {
    tasks = registry;
    clock.advance(Duration.ofSeconds(5)); // 0 means "not silent" to a place
  }

  long now() {
    return clock.getAsLong();
  }

  TestCluster node(String name, String... devices) {
    return nodeWithMemory(name, 0, devices);
  }

  /** A node whose devices have so many bytes each; those named {@code MIG-…} are slices. */
  TestCluster nodeWithMemory(String name, long bytes, String... devices) {
    List<DeviceInfo> infos = new ArrayList<>();
    for (String device : devices) {
      boolean slice = device.startsWith("MIG-");
      infos.add(
          new DeviceInfo(
              new DeviceId(device),
              infos.size(),
              DeviceVendor.SIMULATED,
              slice ? "H200 MIG 1g.18gb" : "H200",
              null,
              bytes,
              null,
              slice ? new MigSlot(new DeviceId("split"), infos.size()) : null));
    }
    nodes.joined(name, new HostInfo(name, "a CPU", 4, 4, 1L << 33, 1L << 33), infos, "test");
    return this;
  }

  /**
   * A node whose devices have so many bytes each, of which processes of no task use {@code used}.
   */
  TestCluster nodeWithReadings(String name, long bytes, long used, String... devices) {
    nodeWithMemory(name, bytes, devices);
    List<DeviceSample> readings =
        Stream.of(devices)
            .map(
                uuid ->
                    DeviceSampleBuilder.of(new DeviceId(uuid), 0)
                        .memTotal(bytes)
                        .memUsed(used)
                        .memReserved(0L)
                        .processes(List.of())
                        .build())
            .toList();
    HostSample host = new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L);
    nodes.sampled(new NodeSample(name, 1, 0, host, readings));
    return this;
  }

  TestCluster job(long id, int size, int gpus) {
    return job(id, size, new ResourceRequest(0, gpus));
  }

  TestCluster job(long id, int size, ResourceRequest request) {
    tasks.submit(jobs.spec(id, size, request), now());
    return this;
  }

  /** A job with one task that starts after another job. */
  TestCluster jobAfter(long id, String dependency, int gpus) {
    tasks.submit(
        jobs.spec(id, 1, new ResourceRequest(0, gpus)),
        Set.of(JobDependency.parse(dependency)),
        ImmediateOrHeldStart.AT_ONCE,
        now());
    return this;
  }

  /** A job with one task that starts after several others. */
  TestCluster jobAfter(long id, List<String> dependencies) {
    tasks.submit(
        jobs.spec(id, 1, new ResourceRequest(0, 0)),
        dependencies.stream().map(JobDependency::parse).collect(Collectors.toSet()),
        ImmediateOrHeldStart.AT_ONCE,
        now());
    return this;
  }

  /** A job on hold that starts after another. */
  TestCluster heldJobAfter(long id, String dependency, int gpus) {
    tasks.submit(
        jobs.spec(id, 1, new ResourceRequest(0, gpus)),
        Set.of(JobDependency.parse(dependency)),
        ImmediateOrHeldStart.ON_HOLD,
        now());
    return this;
  }

  /** The jobs that follow have a time limit of an hour for each task. */
  TestCluster limited() {
    return terms(
        new JobTerms(false, PlacementPolicy.ROUND_ROBIN, 0, List.of(), 3_600_000, 0, null));
  }

  /** How the jobs that follow are to be treated. */
  TestCluster terms(JobTerms other) {
    jobs.terms(other);
    return this;
  }

  /** The jobs that follow run commands and are tied to nothing. */
  TestCluster commands() {
    jobs.commands();
    return this;
  }

  /** The jobs that follow are leases of programs. */
  TestCluster leases() {
    jobs.leases();
    return this;
  }

  /** Sets the user of the following jobs. */
  TestCluster of(String who) {
    jobs.of(who);
    return this;
  }

  TestCluster hold(long job) {
    changes.addAll(tasks.requests().hold(new JobId(job), now()));
    return this;
  }

  TestCluster release(long job) {
    changes.addAll(tasks.requests().release(new JobId(job), now()));
    return this;
  }

  TestCluster schedule() {
    changes.addAll(SeenOrders.schedule(tasks, nodes, this::nextRevision, now()));
    return this;
  }

  private long nextRevision(String node) {
    return revisions.merge(node, 1L, Long::sum);
  }

  /** The revision that holds the newest order of a node. */
  long revision(String node) {
    return revisions.getOrDefault(node, 0L);
  }

  TestCluster after(Duration passed) {
    clock.advance(passed);
    return this;
  }

  /** The node has seen every order and holds these. */
  TestCluster reported(String node, TaskReport... reports) {
    return reportedAt(node, revision(node), reports);
  }

  TestCluster reportedAt(String node, long revision, TaskReport... reports) {
    changes.addAll(tasks.reported(node, List.of(reports), revision, now()));
    return this;
  }

  TestCluster joined(String node, TaskReport... reports) {
    changes.addAll(tasks.joined(node, List.of(reports), now()));
    return this;
  }

  TestCluster silent(String node) {
    nodes.silent(node, now());
    changes.addAll(tasks.silent(node, now()));
    return this;
  }

  TestCluster nodeGone(String node) {
    changes.addAll(tasks.nodeGone(node, "node " + node + " is gone", now()));
    return this;
  }

  TestCluster tick() {
    changes.addAll(tasks.tick(now()));
    return this;
  }

  TestCluster cancel(long job) {
    changes.addAll(tasks.requests().cancel(new JobId(job), "cancelled", now()));
    return this;
  }

  /** A job's tasks leave their places. */
  TestCluster leave(long job) {
    changes.addAll(tasks.requests().leave(new JobId(job), "requeued", now()));
    return this;
  }

  /** The server is being stopped. */
  TestCluster stop() {
    changes.addAll(tasks.requests().stop("the server was stopped", now()));
    return this;
  }

  TestCluster told(String attempt, long sequence, WorkerEvent event) {
    tasks.heard(AttemptId.parse(attempt), sequence, event);
    return this;
  }

  TaskRecord task(String id) {
    return tasks.find(TaskId.parse(id)).orElseThrow();
  }

  /** A task that has a place. */
  PlacedTask placed(String id) {
    return (PlacedTask) task(id);
  }

  TaskState state(String id) {
    return task(id).state();
  }

  /** Where a task is, with its devices: {@code n1[A]}, or {@code -}. */
  String place(String id) {
    return task(id) instanceof PlacedTask task ? task.place().node() + task.place().devices() : "-";
  }

  /** The places of several tasks. */
  List<String> places(String... ids) {
    return Stream.of(ids).map(this::place).toList();
  }

  /** The attempts that a node should run. */
  List<String> orders(String node) {
    return taskOrders(node).stream().map(order -> order.attempt().toString()).toList();
  }

  /** The orders of the attempts that a node should run. */
  List<TaskStartOrder> taskOrders(String node) {
    return tasks.placed().stream()
        .filter(task -> task.place().node().equals(node) && !task.state().isLeaving())
        .map(tasks::order)
        .toList();
  }

  /** The devices that tasks hold on all nodes. */
  Set<DeviceId> lentDevices() {
    return tasks.placed().stream()
        .flatMap(task -> task.place().devices().stream())
        .collect(Collectors.toSet());
  }

  TaskChange lastChange() {
    return changes.get(changes.size() - 1);
  }
}
