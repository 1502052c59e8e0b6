package io.remuda.coordinator.metrics;

import static io.remuda.coordinator.metrics.MetricKind.COUNTER;
import static io.remuda.coordinator.metrics.MetricKind.GAUGE;
import static io.remuda.coordinator.metrics.MetricKind.HISTOGRAM;
import static io.remuda.coordinator.metrics.MetricKind.INFO;

import java.util.List;

/** The metrics that are served; docs/metrics.md lists them. */
public enum RemudaMetric implements MetricDescription {
  GPU_INFO(
      INFO,
      "gpu_info",
      "",
      "A GPU, or a slice of one (MIG).",
      "node gpu index name vendor driver pci_bus"),
  GPU_UTILIZATION(
      GAUGE,
      "gpu_utilization_ratio",
      "ratio",
      "Part of the time in which a kernel ran (sm), or memory was read or written (mem).",
      "node gpu index engine"),
  GPU_MEMORY_TOTAL(
      GAUGE, "gpu_memory_total_bytes", "bytes", "Memory of the GPU.", "node gpu index"),
  GPU_MEMORY_USED(
      GAUGE,
      "gpu_memory_used_bytes",
      "bytes",
      "Memory that is allocated, without what the driver keeps for itself.",
      "node gpu index"),
  GPU_MEMORY_RESERVED(
      GAUGE,
      "gpu_memory_reserved_bytes",
      "bytes",
      "Memory that driver and firmware keep for themselves.",
      "node gpu index"),
  GPU_MEMORY_LENT(
      GAUGE,
      "gpu_memory_lent_bytes",
      "bytes",
      "Memory that is promised to tasks; all of it if one has the whole GPU.",
      "node gpu index"),
  GPU_UNATTRIBUTED(
      GAUGE,
      "gpu_unattributed_memory_bytes",
      "bytes",
      "Memory in use that belongs to no task that has the GPU.",
      "node gpu index"),
  GPU_TEMPERATURE(
      GAUGE,
      "gpu_temperature_celsius",
      "celsius",
      "Temperature of the GPU.",
      "node gpu index sensor"),
  GPU_POWER(GAUGE, "gpu_power_watts", "watts", "Power that it draws.", "node gpu index"),
  GPU_POWER_LIMIT(
      GAUGE, "gpu_power_limit_watts", "watts", "Power that it may draw.", "node gpu index"),
  GPU_ENERGY(
      COUNTER,
      "gpu_energy_joules_total",
      "joules",
      "Energy since its driver was loaded.",
      "node gpu index"),
  GPU_CLOCK(
      GAUGE,
      "gpu_clock_hertz",
      "hertz",
      "Clock of the multiprocessors (sm) or of the memory (mem).",
      "node gpu index domain"),
  GPU_FAN(
      GAUGE, "gpu_fan_ratio", "ratio", "Speed of its fans, of their greatest.", "node gpu index"),
  GPU_THROTTLE(
      GAUGE,
      "gpu_throttle_active",
      "",
      "Whether its clocks are lowered for a reason: 1 or 0.",
      "node gpu index reason"),
  GPU_ECC(
      COUNTER,
      "gpu_ecc_errors_total",
      "",
      "Memory errors since its driver was loaded.",
      "node gpu index type"),
  GPU_HEALTH(
      GAUGE,
      "gpu_health",
      "",
      "1 for the state that its driver's answers show: ok, degraded, stale or lost.",
      "node gpu index state"),
  GPU_PROCESSES(GAUGE, "gpu_processes", "", "Processes that use it.", "node gpu index"),
  GPU_ALLOCATED(
      GAUGE,
      "gpu_allocated",
      "",
      "Whether a task has it, or a part of it: 1 or 0.",
      "node gpu index"),
  GPU_JOB_MEMORY(
      GAUGE,
      "gpu_job_memory_bytes",
      "bytes",
      "Memory of a GPU that a running job uses.",
      "node gpu index job"),
  NODE_UP(GAUGE, "node_up", "", "Whether the node answers: 1 or 0.", "node"),
  NODE_READY(GAUGE, "node_ready", "", "Whether the node gets tasks: 1 or 0.", "node"),
  NODE_CPUS(GAUGE, "node_cpus", "", "CPUs of the machine.", "node"),
  NODE_CPU_BUSY(
      GAUGE,
      "node_cpu_busy_ratio",
      "ratio",
      "Part of the time of all CPUs in which they were busy.",
      "node"),
  NODE_LOAD(GAUGE, "node_load1", "", "Load average over one minute.", "node"),
  NODE_MEMORY_TOTAL(GAUGE, "node_memory_total_bytes", "bytes", "Memory of the machine.", "node"),
  NODE_MEMORY_AVAILABLE(
      GAUGE,
      "node_memory_available_bytes",
      "bytes",
      "Memory that new processes can have without swapping.",
      "node"),
  NODE_SWAP_USED(GAUGE, "node_swap_used_bytes", "bytes", "Swap in use.", "node"),
  NODE_CPU_SECONDS(
      COUNTER,
      "node_cpu_seconds_total",
      "seconds",
      "Time of all CPUs since the machine started.",
      "node mode"),
  NODE_DISK_READ(
      COUNTER,
      "node_disk_read_bytes_total",
      "bytes",
      "Read from a disk; no disk that is made of others is among them.",
      "node device"),
  NODE_DISK_WRITTEN(
      COUNTER, "node_disk_written_bytes_total", "bytes", "Written to a disk.", "node device"),
  NODE_NETWORK_RECEIVE(
      COUNTER,
      "node_network_receive_bytes_total",
      "bytes",
      "Received by a network interface; neither loopback nor bridges, bonds and VLANs are among"
          + " them.",
      "node device"),
  NODE_NETWORK_TRANSMIT(
      COUNTER,
      "node_network_transmit_bytes_total",
      "bytes",
      "Sent by a network interface.",
      "node device"),
  NODE_TEMPERATURE(
      GAUGE,
      "node_temperature_celsius",
      "celsius",
      "Temperature of a part of the machine that is neither a GPU nor a single core.",
      "node sensor"),
  NODE_FILESYSTEM_SIZE(
      GAUGE,
      "node_filesystem_size_bytes",
      "bytes",
      "Size of a file system that answers.",
      "node mountpoint fstype"),
  NODE_FILESYSTEM_FREE(
      GAUGE,
      "node_filesystem_free_bytes",
      "bytes",
      "Unused bytes of it, with those kept for root.",
      "node mountpoint fstype"),
  NODE_FILESYSTEM_AVAILABLE(
      GAUGE,
      "node_filesystem_avail_bytes",
      "bytes",
      "Bytes of it that users may still write.",
      "node mountpoint fstype"),
  NODE_TASKS(GAUGE, "node_tasks", "", "Tasks that have a place on the node.", "node"),
  TELEMETRY_TIME(
      GAUGE,
      "telemetry_last_success_timestamp_seconds",
      "seconds",
      "When the newest sample was taken, in seconds since 1970 by the node's clock.",
      "node"),
  TASKS(GAUGE, "tasks", "", "Tasks that have not ended.", "state"),
  JOBS(GAUGE, "jobs", "", "Jobs that have not ended.", "state"),
  TASKS_WAITING(
      GAUGE, "tasks_waiting", "", "Tasks that wait, by the first reason of their job.", "reason"),
  OLDEST_WAIT(
      GAUGE,
      "oldest_wait_seconds",
      "seconds",
      "How long the task has waited that waits longest for a place; absent if none does.",
      ""),
  USER_TASKS(
      GAUGE,
      "user_tasks",
      "",
      "Tasks of a user that wait or run; only if remuda.coordinator.metrics.users is set.",
      "user state"),
  JOB_INFO(
      INFO,
      "job_info",
      "",
      "A job with a task that runs or is being ended; its user only if remuda.coordinator.metrics.users is set.",
      "job name user"),
  JOBS_LEFT_OUT(
      GAUGE,
      "jobs_left_out",
      "",
      "Running jobs without series of their own, since remuda.coordinator.metrics.jobs are the most.",
      ""),
  WAIT(
      HISTOGRAM,
      "wait_seconds",
      "seconds",
      "From when a task could be placed, first or again, to its place.",
      ""),
  RUN(HISTOGRAM, "run_seconds", "seconds", "How long processes of tasks ran that have ended.", ""),
  ATTEMPTS_ENDED(
      COUNTER, "attempts_ended_total", "", "Attempts that have ended, by what ended them.", "end"),
  CYCLE(HISTOGRAM, "scheduler_cycle_seconds", "seconds", "Cycles of the scheduler.", ""),
  CYCLE_STEPS(
      COUNTER,
      "scheduler_step_seconds_total",
      "seconds",
      "Time in the steps of these cycles.",
      "step"),
  COMMIT(
      HISTOGRAM,
      "store_commit_seconds",
      "seconds",
      "From when changes were passed on until they were durable.",
      ""),
  SYNC(
      HISTOGRAM,
      "store_fsync_seconds",
      "seconds",
      "From when a transaction was written until the disk, or the database, had made it safe.",
      ""),
  STORE_TROUBLE(
      GAUGE, "store_trouble", "", "Whether the state cannot be written at present: 1 or 0.", ""),
  HTTP_REQUESTS(
      COUNTER,
      "http_requests_total",
      "",
      "Requests that were answered, by the first part of their path and by status.",
      "route code"),
  AGENTS(GAUGE, "agents_connected", "", "Agents that are connected.", ""),
  ROUND_TRIP(
      HISTOGRAM,
      "agent_round_trip_seconds",
      "seconds",
      "From an order with something new to the report of its node that follows it.",
      ""),
  MEMBER_UP(GAUGE, "cluster_member_up", "", "Whether a coordinator takes part: 1 or 0.", "member"),
  LEADER(GAUGE, "leader", "", "Whether a coordinator leads: 1 or 0.", "member"),
  EPOCH(
      GAUGE,
      "leader_epoch",
      "",
      "Number of the leadership; each start and each fail-over makes it greater.",
      ""),
  LEADER_SINCE(
      GAUGE,
      "leader_since_timestamp_seconds",
      "seconds",
      "When the leader began to lead, in seconds since 1970.",
      ""),
  BUILD_INFO(INFO, "build_info", "", "Build of the leader.", "version");

  private final MetricKind kind;
  private final String title;
  private final String unit;
  private final String help;
  private final List<String> labels;

  RemudaMetric(MetricKind kind, String name, String unit, String help, String labels) {
    this.kind = kind;
    this.title = "remuda_" + name;
    this.unit = unit;
    this.help = help;
    this.labels = labels.isEmpty() ? List.of() : List.of(labels.split(" "));
  }

  @Override
  public MetricKind kind() {
    return kind;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String unit() {
    return unit;
  }

  @Override
  public String help() {
    return help;
  }

  @Override
  public List<String> labels() {
    return labels;
  }
}
