package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.main.RunningAgent;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A service with a job for each reason to wait. Node n1 has 2 cores, 4 GiB and two GPUs, most of
 * which four jobs hold; n2 is drained and n3 is dead.
 */
class ExplainCommandIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final double LITTLE = 0.1;

  /** A long pause before a retry, and no overtaking. */
  private static final String SETTINGS =
      "remuda.coordinator { retry { first-delay = 10m, max-delay = 10m },"
          + " sharing.reserve-after = 0s }";

  @TempDir private static Path shared;
  private static Cluster service;
  private static final Map<String, Long> WAITING = new HashMap<>();
  private static Result beforeAnyNode;
  private static JsonNode reasonsBeforeAnyNode;

  @BeforeAll
  static void fillTheNode() throws Exception {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    knowTypesThatAreSlowTogether();
    service.serve("--no-agent");
    waits("lacks-label", service.submit("true", "labels", Map.of("zone", "b")));
    waits("lacks-model", service.submit("true", "gpuModel", "h100"));
    beforeAnyNode = explain("lacks-model");
    reasonsBeforeAnyNode = reasons(WAITING.get("lacks-model"));
    join();
    submitWhatRuns();
    submitWhatWaits();
  }

  private static void knowTypesThatAreSlowTogether() throws Exception {
    FolderOwnershipCheck.create(service.home());
    service.with(SETTINGS);
    StoreOpener.Opened opened = TestStore.open(service.home());
    opened
        .journal()
        .append(
            List.of(
                new StoreChange.ProfileSet(halfAsFast("train", "eval"), 0),
                new StoreChange.ProfileSet(halfAsFast("eval", "train"), 0)),
            () -> {});
    opened.journal().close(); // writes what waits
  }

  private static Profile halfAsFast(String type, String beside) {
    String user = System.getProperty("user.name");
    return Profile.unknown(new JobType(user, type))
        .ran(1L << 30, null, 9000)
        .took(PairSpeeds.Run.alone("H200", 9000))
        .took(new PairSpeeds.Run("H200", 18_000, 0, new JobType(user, beside), 1, 1));
  }

  private static void join() throws Exception {
    service.agent("n2", "--cpus", "2", "--mem", "4GiB");
    RunningAgent n3 = service.agent("n3", "--cpus", "2", "--mem", "4GiB");
    service.awaitNode("n2", "ready");
    assertEquals(0, service.cli("drain", "n2", "--reason", "a new disk").code());
    service.awaitNode("n3", "ready");
    n3.kill();
    service.awaitNode("n3", "silent");
    service.agent(
        "n1", "--cpus", "2", "--mem", "4GiB", "--label", "zone=a", "--simulate-gpus", "h200:2");
    service.awaitNode("n1", "ready");
  }

  private static void submitWhatRuns() throws IOException {
    long fails = service.submit("exit 1", "cpus", LITTLE, "retries", 1);
    waits("pause-before-retry", fails);
    service.await("its first try", SOON, () -> !reasons(fails).isEmpty());
    String line = "sleep 600";
    long whole = service.submit(line, "cpus", 0.4, "gpuMem", "auto", "type", "sleeper");
    long part = service.submit(line, "cpus", 0.4, "gpus", 1, "gpuMem", "100GiB");
    long large = service.submit(line, "cpus", 0.7, "mem", "3GiB");
    long train = service.submit(line, "cpus", 0, "gpuMem", "auto", "type", "train");
    for (long job : List.of(whole, part, large, train)) {
      service.awaitState(job, "running");
    }
  }

  private static void submitWhatWaits() throws IOException {
    waits("on-hold", service.submit("true", "hold", true));
    String after = WAITING.get("on-hold") + ":any";
    waits("after-job", service.submit("true", "after", List.of(after)));
    String good = WAITING.get("on-hold") + ":ok";
    waits("after-one-of", service.submit("true", "afterOneOf", List.of(after, good)));
    waits("too-few-free-gpus", service.submit("true", "cpus", LITTLE, "gpus", 2));
    waits("too-little-gpu-memory", service.submit("true", "cpus", LITTLE, "gpuMem", "60GiB"));
    waits(
        "type-measured",
        service.submit("true", "cpus", LITTLE, "gpuMem", "auto", "type", "sleeper"));
    waits(
        "too-many-on-gpus",
        service.submit("true", "cpus", LITTLE, "gpuMem", "10GiB", "exclusive", true));
    waits("slow-together", service.submit("true", "cpus", 0, "gpuMem", "auto", "type", "eval"));
    waits("too-few-free-cpus", service.submit("true", "cpus", 1));
    waits("too-little-memory", service.submit("true", "cpus", LITTLE, "mem", "2GiB"));
    waits("gang-incomplete", service.submit("true", "cpus", LITTLE, "count", 8, "gang", true));
    waits("held-for-other", service.submit("true", "cpus", 0.45));
    waits("node-draining", WAITING.get("too-few-free-cpus"));
    waits("node-silent", WAITING.get("too-few-free-cpus"));
    waits("begins-later", service.submit("true", "begin", "2099-01-01T00:00:00Z"));
    waits("not-named", service.submit("true", "cpus", LITTLE, "nodes", List.of("n2")));
    waits("excluded", service.submit("true", "cpus", LITTLE, "excludeNodes", List.of("n1")));
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static void waits(String reason, long job) {
    WAITING.put(reason, job);
  }

  private static Result explain(String reason) throws IOException {
    return service.cli("explain", Long.toString(WAITING.get(reason)));
  }

  private static JsonNode reasons(long job) throws IOException {
    return service.client().get("/jobs/" + job + "/explain").path("reasons");
  }

  /** What {@code remuda explain} says of a job that waits for this reason. */
  record Words(String reason, String line) {}

  static Stream<Words> words() {
    long held = WAITING.get("on-hold");
    long first = WAITING.get("too-few-free-gpus");
    return Stream.of(
        new Words("on-hold", "it is on hold: remuda release it"),
        new Words("after-job", "it starts after job " + held + ":any"),
        new Words("after-one-of", "it starts after one of jobs " + held + ":ok, " + held + ":any"),
        new Words("pause-before-retry", "it is tried again in \\d+\\.\\d s"),
        new Words("type-measured", "task \\d+\\.0 measures what 'sleeper' needs of a GPU"),
        new Words(
            "gang-incomplete",
            "all 8 tasks start together, and there is room for (none|\\d; with (that one|those)"
                + " placed, another finds none)"),
        new Words("node-silent", "n3: does not answer"),
        new Words("node-draining", "n2: is draining \\(a new disk\\) and gets no more tasks"),
        new Words("begins-later", "it begins at 2099-01-01.*"),
        new Words("not-named", "n1: is not one of --node n2"),
        new Words("excluded", "n1: is excluded by --exclude"),
        new Words("lacks-label", "n1: label zone is a, wanted b"),
        new Words("lacks-model", "n1: has NVIDIA H200, wanted h100"),
        new Words("too-few-free-gpus", "n1: 0 of 2 GPUs free, wanted 2"),
        new Words(
            "too-little-gpu-memory",
            "n1: 0 GPUs with 60\\.0 GiB free, wanted 1; the most free is \\d\\d\\.\\d GiB"),
        new Words(
            "too-many-on-gpus",
            "n1: 0 GPUs take one more task \\(--per-gpu, --exclusive\\), wanted 1"),
        new Words(
            "slow-together",
            "n1: there is room only beside 'train': together they are 1\\.00 times as fast as one"
                + " after the other"),
        new Words("too-few-free-cpus", "n1: 0\\.50 of 2 CPUs free, wanted 1"),
        new Words("too-little-memory", "n1: 1\\.0 GiB of 4\\.0 GiB memory free, wanted 2\\.0 GiB"),
        new Words(
            "held-for-other", "n1: what is free is kept for job " + first + ", which is ahead"));
  }

  @ParameterizedTest
  @MethodSource("words")
  void a_job_that_waits_is_told_why(Words words) throws IOException {
    Result said = explain(words.reason());
    assertEquals(0, said.code());
    assertTrue(
        said.out().lines().anyMatch(line -> line.strip().matches(words.line())), said::toString);
    assertTrue(names(reasons(WAITING.get(words.reason()))).contains(words.reason()));
  }

  @Test
  void without_a_node_that_is_the_only_reason() {
    String first = "job " + WAITING.get("lacks-model") + " is waiting\n";
    assertEquals(
        first
            + "  no node has joined\n"
            + "  its turn is number 2 of the waiting jobs; expected start: not known\n",
        beforeAnyNode.out());
    assertEquals(Set.of("no-nodes"), names(reasonsBeforeAnyNode));
  }

  @Test
  void a_job_hears_what_every_node_lacks() throws IOException {
    assertEquals(
        List.of("too-few-free-cpus n1", "node-draining n2", "node-silent n3"),
        stream(reasons(WAITING.get("too-few-free-cpus")))
            .map(reason -> reason.path("reason").asText() + " " + reason.path("node").asText())
            .toList());
  }

  @Test
  void there_is_a_job_here_for_every_reason_that_there_is() {
    Set<String> all =
        Stream.of(WaitReason.class.getAnnotation(JsonSubTypes.class).value())
            .map(JsonSubTypes.Type::name)
            .collect(Collectors.toSet());
    Set<String> tested = words().map(Words::reason).collect(Collectors.toSet());
    tested.add("no-nodes");
    tested.addAll(Set.of("too-many-tasks", "too-many-placed")); // SchedulerTest has them
    tested.add("gpus-too-busy"); // no GPU here is busy; SharedDeviceTest has it
    tested.addAll(Set.of("lacks-gpus", "no-room-on-gpus")); // of leases only; LeaseIT has them
    // of disks and locks of others; CommandTasksTest and FrozenDiskIT have them
    tested.addAll(Set.of("node-avoided", "node-stands-still", "gpus-held-by-others"));
    tested.addAll(Set.of("members-leave", "enough-running")); // GangTransitionsTest has them
    // CountedResourcesTest and UserLimitsTest have them
    tested.addAll(Set.of("too-few-counted", "too-few-in-cluster", "counted-held-by", "user-limit"));
    tested.add("server-ends-before"); // JobControlTest and ServerEndTimeTest have it
    tested.add("others-leave"); // nothing here is preemptible; PreemptionIT has it
    tested.add("gpus-draining"); // a drained GPU here would hide others; DrainIT has it
    // of strangers, sick GPUs and MIG; GpuStrangersTest, GpuRetriesTest and WholeGpuTest have them
    tested.addAll(Set.of("gpus-occupied", "gpus-resting", "only-slices"));
    assertEquals(all, tested);
  }

  private static Set<String> names(JsonNode reasons) {
    return stream(reasons).map(one -> one.path("reason").asText()).collect(Collectors.toSet());
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return Stream.iterate(0, i -> i < list.size(), i -> i + 1).map(list::get);
  }
}
