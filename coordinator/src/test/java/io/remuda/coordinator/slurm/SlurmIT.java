package io.remuda.coordinator.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.attempt.SrunStandIn;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.SlurmCluster;
import io.remuda.coordinator.testkit.TinyMnist;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs inside the allocations of a real Slurm of three nodes. */
@Tag("slow")
class SlurmIT {

  private static final Duration WHOLE_RUN = Duration.ofSeconds(120);
  private static final Duration START = Duration.ofSeconds(120);
  private static final Duration ENDING = Duration.ofSeconds(60);
  private static final List<String> SALLOC =
      List.of("salloc", "--nodes=3", "--cpus-per-task=2", "--gres=gpu:2");

  private static SlurmCluster slurm;
  private static Path folder;
  private static Path data;

  private final Installation installation = Installation.find();
  private final List<EnsembleProcess> started = new ArrayList<>();

  @BeforeAll
  static void startSlurm() throws IOException {
    assumeTrue(SlurmCluster.isAllowed(), "a Slurm for tests is started as root");
    slurm = SlurmCluster.start(System.getProperty("remuda.test.proctrack", "auto"));
    folder = Files.createTempDirectory("rs");
    data = TinyMnist.write(folder.resolve("data"), 128, 64);
  }

  @AfterAll
  static void stopSlurm() {
    if (slurm != null) {
      slurm.close();
    }
  }

  @AfterEach
  void endAll() {
    started.forEach(EnsembleProcess::close);
    slurm.cancelAll(); // an salloc that was killed has kept its nodes
  }

  private EnsembleProcess start(String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--mnist-workers=3",
                "--scipy-workers=3",
                "--mem=1048576",
                "--no-verify",
                "--data-dir=" + data,
                "--simulate-gpus=h200:2"));
    arguments.addAll(List.of(more));
    Path home = Files.createTempDirectory(folder, "home");
    EnsembleProcess run =
        EnsembleProcess.startBy(SALLOC, installation, home, slurm.environment(), arguments);
    started.add(run);
    return run;
  }

  private EnsembleProcess startLong() throws IOException {
    EnsembleProcess run = start("--epochs=5000");
    run.await("trainings", START, () -> trainings(run) == 3);
    return run;
  }

  private static long trainings(EnsembleProcess run) {
    return run.lines().stream().filter(line -> line.text().contains("training on")).count();
  }

  /** No process, no job, no node that is not idle, no folder on a node. */
  private void assertNothingLeft(EnsembleProcess run) throws IOException {
    run.awaitNothingLeft(ENDING);
    run.await("all nodes are idle", ENDING, slurm::isIdle);
    String name = run.runFolder().getFileName().toString();
    try (Stream<Path> temporary = Files.list(Path.of("/tmp"))) {
      assertEquals(
          List.of(), temporary.filter(path -> path.toString().contains(name)).toList(), name);
    }
  }

  @Test
  void a_run_has_an_agent_on_every_node_and_leaves_nothing() throws IOException {
    EnsembleProcess run = start("--epochs=1");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertTrue(run.out().contains("Number of nodes: 3"), run::describe);
    for (String node : List.of("gpu1", "gpu2", "gpu3")) {
      assertTrue(
          run.out().stream().anyMatch(line -> line.startsWith("nodename: " + node + " cpu load")),
          run::describe);
    }
    assertEquals(
        3, run.out().stream().filter(line -> line.startsWith("Final test")).count(), run::describe);
    assertNothingLeft(run);
  }

  @Test
  void scancel_ends_the_run_in_order() throws IOException {
    EnsembleProcess run = startLong();
    slurm.command("scancel", slurm.newestJob());
    assertNotEquals(0, run.awaitExit(ENDING), run::describe);
    assertTrue(
        run.err().stream().anyMatch(line -> line.contains("scancel, or the time limit")),
        run::describe);
    assertNothingLeft(run);
  }

  @Test
  void control_c_ends_the_run_in_order() throws IOException {
    EnsembleProcess run = startLong();
    run.members(Role.COORDINATOR).stream()
        .filter(member -> !member.commandLine().startsWith("salloc"))
        .forEach(member -> member.signal("INT"));
    assertEquals(130, run.awaitExit(ENDING), run::describe);
    assertNothingLeft(run);
  }

  @Test
  void a_coordinator_that_is_killed_takes_everything_with_it() throws IOException {
    EnsembleProcess run = startLong();
    run.members(Role.COORDINATOR).forEach(member -> member.signal("KILL"));
    run.awaitExit(ENDING);
    assertNothingLeft(run);
  }

  @Test
  void the_agent_of_a_node_is_started_again_after_a_kill() throws IOException {
    EnsembleProcess run = start("--epochs=12");
    run.await("trainings", START, () -> trainings(run) == 3);
    Member agent =
        run.members(Role.AGENT).stream()
            .filter(one -> one.variable("SLURMD_NODENAME").orElse("").equals("gpu2"))
            .findFirst()
            .orElseThrow();
    agent.signal("KILL");
    run.awaitLine("gpu2 is back", line -> line.equals("node gpu2 is back"), START);
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEquals(
        3, run.out().stream().filter(line -> line.startsWith("Final test")).count(), run::describe);
    assertNothingLeft(run);
  }

  private ServiceProcess serve(ServiceProcess server) throws IOException {
    return server.serveBehind(SALLOC, "--simulate-gpus=h200:1");
  }

  private void assertNothingLeft(ServiceProcess server) {
    server.await("nothing left of the server", ENDING, () -> server.members().isEmpty());
    server.await("all nodes are idle", ENDING, slurm::isIdle);
  }

  /** The first attempt runs until it is ended, the second one ends by itself. */
  @Test
  void a_servers_tasks_on_all_nodes_go_on_in_the_next_allocation()
      throws IOException, InterruptedException {
    Path home = Files.createDirectory(Files.createTempDirectory(folder, "s").resolve("home"));
    Path begun = home.resolveSibling("begun");
    String script = "echo $REMUDA_NODE >> " + begun + "; test $REMUDA_ATTEMPT = 2 || sleep 100";
    try (ServiceProcess server = new ServiceProcess(installation, home, slurm.environment())) {
      serve(server);
      server.cli("submit", "--count=3", "--gpus=1", "--cpus=0.1", "--", "sh", "-c", script);
      server.await(
          "a task on each node", START, () -> Set.copyOf(Files.readAllLines(begun)).size() == 3);
      slurm.command("scancel", slurm.newestJob());
      server.awaitServerEnd();
      assertNothingLeft(server);

      serve(server);
      JsonNode job = server.awaitEnd(1);
      assertEquals("succeeded", job.path("state").asText(), server::describe);
      assertEquals(6, Files.readAllLines(begun).size(), server::describe);
      slurm.command("scancel", "--signal=TERM", slurm.newestJob()); // as sbatch --signal=TERM@60
      assertEquals(0, server.awaitServerEnd(), server::describe);
      assertNothingLeft(server);
    }
  }

  @Test
  void two_runs_on_the_same_nodes_do_not_meet() throws IOException {
    EnsembleProcess one = start("--epochs=1");
    EnsembleProcess other = start("--epochs=1", "--seed=2");
    assertEquals(0, one.awaitExit(WHOLE_RUN), one::describe);
    assertEquals(0, other.awaitExit(WHOLE_RUN), other::describe);
    for (EnsembleProcess run : List.of(one, other)) {
      assertEquals(
          3,
          run.out().stream().filter(line -> line.startsWith("Final test")).count(),
          run::describe);
    }
    assertNothingLeft(one);
    assertNothingLeft(other);
  }

  @Test
  void our_srun_does_what_slurms_does() throws IOException {
    SrunStandIn.write(folder.resolve("node"));
    Path script = folder.resolve("steps.sh");
    try (InputStream text = SlurmIT.class.getResourceAsStream("steps.sh")) {
      Files.copy(text, script);
    }
    String theirs = steps(script, "theirs", List.of());
    String ours =
        steps(script, "ours", List.of(SrunStandIn.folder(folder.resolve("node")).toString()));
    assertTrue(theirs.lines().count() > 100, theirs);
    assertEquals(theirs, ours);
  }

  /** Runs the steps in a job of Slurm; returns what they have said. */
  private static String steps(Path script, String name, List<String> arguments) throws IOException {
    Path at = Files.createDirectories(folder.resolve(name));
    List<String> words =
        new ArrayList<>(List.of("sbatch", "--wait", "-D", "" + at, "-o", "said", "" + script));
    words.addAll(arguments);
    slurm.command(words.toArray(String[]::new));
    return Files.readString(at.resolve("said"));
  }
}
