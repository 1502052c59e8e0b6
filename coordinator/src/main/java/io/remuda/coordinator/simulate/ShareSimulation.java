package io.remuda.coordinator.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.schedule.AppliedPlacement;
import io.remuda.coordinator.schedule.FirstRuns;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PlanMemory;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.json.PlainJson;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides for a driver which jobs start, by the scheduler of the job service and the profiles that
 * it learns: memory that an arrival tells is that of {@code --gpu-mem SIZE}, otherwise it is {@code
 * --gpu-mem auto} with the type that it tells. All jobs are those of one user. Single-threaded.
 */
public final class ShareSimulation {

  private static final String USER = "user";
  private static final long MIB = 1 << 20;
  private static final double NANOS = 1e9;
  private static final int MILLIS = 1000;
  private static final double GROWTH = 1.5;

  /**
   * How jobs are submitted, and how the server is set.
   *
   * @param policy of all jobs
   * @param perGpu most jobs on a GPU, 0 for no limit
   * @param firstRunsBeside whether the first job of a type may share a GPU
   */
  public record Settings(PlacementPolicy policy, int perGpu, boolean firstRunsBeside) {}

  /** A job of the driver. */
  private static final class Job {
    private final TaskId id;
    private final String name;
    private final JobType type;
    private final ResourceRequest asked;
    private long floor;

    private Plan.Placement place;
    private ResourceRequest has;
    private double startedAt;
    private long peak;

    Job(TaskId id, String name, JobType type, ResourceRequest asked) {
      this.id = id;
      this.name = name;
      this.type = type;
      this.asked = asked;
    }

    boolean isFirstRun(Profiles profiles) {
      return asked.gpuShare().isMeasured() && profiles.of(type).filter(Profile::isKnown).isEmpty();
    }
  }

  private final Settings settings;
  private final Map<String, NodeOffer> nodes = new LinkedHashMap<>();
  private final Map<String, Job> jobs = new HashMap<>();
  private final Map<TaskId, Job> waiting = new TreeMap<>();
  private final Map<TaskId, Job> running = new TreeMap<>();
  private final Profiles profiles = new Profiles();
  private final PlanMemory memory = new PlanMemory();
  private double now;

  public ShareSimulation(Settings settings) {
    this.settings = settings;
  }

  /**
   * Answers each line of a driver until there are no more.
   *
   * @throws BadTableException if a line is no event that a driver may send
   */
  public void run(BufferedReader in, PrintWriter out) throws IOException, BadTableException {
    int number = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      number++;
      try {
        out.println(answer(PlainJson.MAPPER.readTree(line)));
        out.flush();
      } catch (JsonProcessingException | IllegalArgumentException refused) {
        String why =
            refused instanceof JsonProcessingException ? "it is not JSON" : refused.getMessage();
        throw new BadTableException(
            "stdin:" + number + ": " + why + ", got '" + line + "'", refused);
      }
    }
  }

  private ObjectNode answer(JsonNode event) {
    now = event.path("t").asDouble();
    switch (event.path("event").asText()) {
      case "cluster" -> event.path("nodes").forEach(this::node);
      case "arrival" -> arrived(event);
      case "observed" -> observed(runningJob(event), bytes(event, "gpu_mem_mib"));
      case "finished" -> finished(runningJob(event));
      case "oom" -> lacked(runningJob(event));
      default ->
          throw new IllegalArgumentException(
              "event must be cluster, arrival, observed, finished or oom");
    }
    return started(plan());
  }

  private void node(JsonNode node) {
    String name = text(node, "node");
    nodes.put(name, SimulatedNodes.sharing(name, whole(node, "gpus"), bytes(node, "gpu_mem_mib")));
  }

  private Job runningJob(JsonNode event) {
    Job job = jobs.get(text(event, "job"));
    if (job == null) {
      throw new IllegalArgumentException("job must be one that has arrived");
    }
    if (!running.containsKey(job.id)) {
      throw new IllegalArgumentException(
          "job must be one that runs: an answer has started it, and it has not ended since");
    }
    return job;
  }

  private static String text(JsonNode event, String field) {
    String text = event.path(field).asText();
    if (text.isEmpty()) {
      throw new IllegalArgumentException(field + " must be given");
    }
    return text;
  }

  private static int whole(JsonNode event, String field) {
    if (!event.path(field).canConvertToInt() || event.path(field).asInt() < 1) {
      throw new IllegalArgumentException(field + " must be a whole number of at least 1");
    }
    return event.path(field).asInt();
  }

  private static long bytes(JsonNode event, String field) {
    return whole(event, field) * MIB;
  }

  private void arrived(JsonNode event) {
    String name = text(event, "job");
    TaskId id = new TaskId(new JobId(jobs.size() + 1), 0);
    long told = event.has("gpu_mem_mib") ? bytes(event, "gpu_mem_mib") : ResourceRequest.AUTO;
    ResourceRequest asked =
        new ResourceRequest(0, whole(event, "gpus"), 0, told, null, Map.of(), settings.perGpu(), 0);
    Job job = new Job(id, name, new JobType(USER, event.path("type").asText(name)), asked);
    if (jobs.putIfAbsent(name, job) != null) {
      throw new IllegalArgumentException("job must be one that has not arrived yet");
    }
    waiting.put(id, job);
  }

  /** Returns what a job asks for, as the server knows it: with the memory of its type. */
  private ResourceRequest needs(Job job) {
    ResourceRequest known =
        job.asked.gpuShare().isMeasured()
            ? profiles.of(job.type).map(one -> one.applied(job.asked)).orElse(job.asked)
            : job.asked;
    return job.floor > Math.max(0, known.gpuMemory()) ? known.withGpuMemory(job.floor) : known;
  }

  /** A first run is promised what its type needs as soon as it has shown that. */
  private void observed(Job job, long bytes) {
    job.peak = bytes;
    if (job.isFirstRun(profiles)) {
      Profile before = profiles.of(job.type).orElse(Profile.unknown(job.type));
      profiles.put(before.observed(bytes, 0, null));
      job.has = needs(job);
    }
  }

  private void finished(Job job) {
    running.remove(job.id);
    if (job.peak > 0 && job.asked.gpuShare().isMeasured()) {
      Profile before = profiles.of(job.type).orElse(Profile.unknown(job.type));
      profiles.put(before.ran(job.peak, null, Math.round((now - job.startedAt) * MILLIS)));
    }
  }

  /** What did not fit is tried again with more, as {@code ProfileUpdates} has it. */
  private void lacked(Job job) {
    running.remove(job.id);
    long size = nodes.get(job.place.node()).devices().get(0).totalMemory();
    long more = (long) (job.has.gpuShare().partOf(size) * GROWTH);
    job.floor = Math.min(size, more);
    waiting.put(job.id, job);
  }

  private Plan plan() {
    Map<JobType, TaskId> measuring = new HashMap<>();
    running.values().stream()
        .filter(job -> job.isFirstRun(profiles))
        .forEach(job -> measuring.putIfAbsent(job.type, job.id));
    Snapshot snapshot =
        new Snapshot(
                offers(),
                Map.of(),
                Map.of(),
                Map.of(),
                measuring,
                profiles.slowTogether(),
                (long) (now * NANOS))
            .with(
                settings.firstRunsBeside()
                    ? FirstRuns.beside(profiles.reservations())
                    : FirstRuns.ALONE);
    Map<TaskClass.SchedulingKey, TaskSet> lines = new LinkedHashMap<>();
    for (Job job : waiting.values()) {
      lines.computeIfAbsent(key(job), key -> new TaskSet()).add(job.id);
    }
    List<TaskClass> classes = new ArrayList<>();
    lines.forEach(
        (key, tasks) -> classes.add(new TaskClass(key, tasks, 0, TaskClass.Overtaking.ALLOWED)));
    return memory.plan(snapshot, classes);
  }

  private TaskClass.SchedulingKey key(Job job) {
    boolean typed = job.asked.gpuShare().isMeasured();
    return new TaskClass.SchedulingKey(
        0,
        USER,
        needs(job),
        settings.policy(),
        0,
        null,
        typed ? job.type : null,
        job.floor > 0,
        null);
  }

  private List<NodeOffer> offers() {
    Map<String, NodeOffer> left = new LinkedHashMap<>(nodes);
    for (Job job : running.values()) {
      left.compute(
          job.place.node(),
          (name, offer) -> AppliedPlacement.to(offer, job.has, job.place.devices()));
    }
    return List.copyOf(left.values());
  }

  private ObjectNode started(Plan plan) {
    ObjectNode answer = PlainJson.MAPPER.createObjectNode();
    ArrayNode start = answer.putArray("start");
    for (Plan.Placement placement : plan.placements()) {
      Job job = waiting.get(placement.task());
      job.has = placement.guessed() > 0 ? job.asked.withGpuMemory(placement.guessed()) : needs(job);
      waiting.remove(job.id);
      running.put(job.id, job);
      job.place = placement;
      job.startedAt = now;
      ObjectNode one = start.addObject();
      one.put("job", job.name).put("node", placement.node());
      ArrayNode gpus = one.putArray("gpus");
      for (DeviceId device : placement.devices()) {
        gpus.add(Integer.parseInt(SimulatedNodes.index(device)));
      }
    }
    return answer;
  }
}
