package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.CuttableNetwork;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gangs of real processes that find each other. */
@Timeout(180)
class GangIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String PYTHON = "/usr/bin/python3";

  /** Sums the ranks over all members, from the variables alone; its loss of one ends the others. */
  private static final String ALL_REDUCE =
      """
      import datetime, os, sys, torch, torch.distributed as dist
      dist.init_process_group('gloo', init_method='env://', timeout=datetime.timedelta(seconds=60))
      value = torch.tensor([float(dist.get_rank())])
      dist.all_reduce(value)
      print('start', os.environ['REMUDA_GANG_START'], 'rank', dist.get_rank(), 'sum', value.item())
      sys.stdout.flush()
      if os.environ['REMUDA_GANG_START'] == '1' and len(sys.argv) > 1:
          if dist.get_rank() == 2:
              os.kill(os.getpid(), 9)
          dist.barrier()
      """;

  @TempDir private Path folder;
  private ServiceProcess service;

  @BeforeEach
  void make() throws Exception {
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    service.close();
  }

  /** A server with a node of one core, and another of one on the same machine. */
  private void twoNodes() throws Exception {
    service.serve("--cpus", "1");
    service.agent("n2", "--cpus", "1");
    service.awaitNode("n2", "ready");
  }

  private long gang(String script, int members, Object... fields) throws IOException {
    List<Object> all = new ArrayList<>(List.of("count", members, "gang", true, "cpus", 0.5));
    all.addAll(List.of(fields));
    return service.submit(script, all.toArray());
  }

  private String state(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("state").asText();
  }

  private List<String> states(long job) throws IOException {
    List<String> states = new ArrayList<>();
    service
        .client()
        .get("/jobs/" + job + "/tasks")
        .path("tasks")
        .forEach(task -> states.add(task.path("state").asText()));
    return states;
  }

  /** Returns the lines of all members, without an order. */
  private Set<String> lines(long job, int members) throws IOException {
    Set<String> lines = new TreeSet<>();
    for (int rank = 0; rank < members; rank++) {
      service.log(job, rank, "out").lines().forEach(lines::add);
    }
    return lines;
  }

  @Test
  void the_members_know_each_other() throws Exception {
    twoNodes();
    long job =
        gang(
            "echo $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE on $NODE_RANK at"
                + " $MASTER_ADDR start $REMUDA_GANG_START; wc -l < $REMUDA_GANG_FILE;"
                + " echo hosts $REMUDA_GANG_HOSTS",
            4);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(
        Set.of(
            "0 of 4, 0 of 2 on 0 at 127.0.0.1 start 1",
            "1 of 4, 1 of 2 on 0 at 127.0.0.1 start 1",
            "2 of 4, 0 of 2 on 1 at 127.0.0.1 start 1",
            "3 of 4, 1 of 2 on 1 at 127.0.0.1 start 1",
            "4",
            "hosts 127.0.0.1,127.0.0.1,127.0.0.1,127.0.0.1"),
        lines(job, 4));
  }

  @Test
  void one_that_fails_ends_the_others_though_they_ignore_sigterm_and_is_named() throws Exception {
    twoNodes();
    long job =
        gang(
            "[ $RANK = 3 ] || trap '' TERM; touch $RANK.began;"
                + " while [ ! -e go ] || [ $RANK != 3 ]; do sleep 0.1; done; exit 7",
            4,
            "grace",
            "1h");
    for (int rank = 0; rank < 4; rank++) {
      Path began = folder.resolve(rank + ".began");
      service.await("rank " + rank, SOON, () -> Files.exists(began));
    }
    Files.createFile(folder.resolve("go"));
    JsonNode end = service.awaitEnd(job);
    assertEquals("failed", end.path("state").asText());
    assertEquals(List.of("cancelled", "cancelled", "cancelled", "failed"), states(job));
    String shown = service.cli("show", Long.toString(job)).out();
    assertTrue(shown.contains(job + ".3: exit code 7"), shown);
    assertTrue(shown.contains("all start together; if one fails, all end"), shown);
  }

  @Test
  void all_start_again_at_one_rendezvous_when_a_member_is_killed() throws Exception {
    twoNodes();
    long job =
        gang(
            "echo $REMUDA_GANG_START $MASTER_PORT >> starts; touch $RANK.$REMUDA_GANG_START;"
                + " if [ $REMUDA_GANG_START = 1 ]; then"
                + "   if [ $RANK = 1 ]; then"
                + "     while [ ! -e 0.1 ] || [ ! -e 2.1 ] || [ ! -e 3.1 ]; do sleep 0.1; done;"
                + "     kill -9 $$; fi;"
                + "   if [ $RANK = 0 ]; then exit 0; fi; sleep 3600; fi",
            4,
            "retries",
            2);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    List<String> starts = Files.readAllLines(folder.resolve("starts"));
    assertEquals(8, starts.size(), starts.toString());
    assertEquals(2, new HashSet<>(starts).size(), "one port a start: " + starts);
    assertEquals(4, starts.stream().filter(line -> line.startsWith("2 ")).count());
  }

  @Test
  void what_members_printed_before_their_gang_starts_again_is_shown_too() throws Exception {
    service.serve("--cpus", "1");
    ServiceUnderTest.Result run =
        service.cli(
            "run",
            "--gang",
            "--count=2",
            "--cpus=0",
            "--gang-failure=restart",
            "--retries=1",
            "--",
            "sh",
            "-c",
            "cd \"$0\"; echo $RANK in start $REMUDA_GANG_START; touch $RANK.$REMUDA_GANG_START;"
                + " until [ -e 0.$REMUDA_GANG_START ]; do sleep 0.1; done; exit $RANK",
            folder.toString());
    assertEquals(1, run.code(), run.err());
    // a start whose port another program has just taken is no failure, and not both have begun
    List<String> failed = run.out().lines().filter(line -> line.startsWith("[1] ")).toList();
    assertEquals(2, failed.size(), run.out());
    assertEquals(2, Set.copyOf(failed).size(), run.out());
    for (String line : failed) {
      String other = line.replace("[1] 1", "[0] 0");
      assertTrue(run.out().lines().anyMatch(other::equals), run.out());
    }
  }

  @Test
  void a_member_whose_port_is_taken_has_the_gang_start_with_others() throws Exception {
    service.serve("--cpus", "1");
    long first = gang("echo $MASTER_PORT $REMUDA_GANG_PORT", 1);
    service.awaitEnd(first);
    String[] ports = service.log(first, 0, "out").trim().split(" ");
    int next = Math.max(Integer.parseInt(ports[0]), Integer.parseInt(ports[1])) + 1;
    try (java.net.ServerSocket other = new java.net.ServerSocket(next)) {
      long second = gang("echo $MASTER_PORT $REMUDA_GANG_PORT", 1);
      assertEquals("succeeded", service.awaitEnd(second).path("state").asText());
      String given = service.log(second, 0, "out");
      assertTrue(!given.contains(Integer.toString(other.getLocalPort())), given);
    }
  }

  @Test
  void at_most_so_many_tasks_of_an_array_run_at_once() throws Exception {
    twoNodes();
    long job =
        service.submit(
            "mkdir running.$REMUDA_TASK_INDEX; ls -d running.* | wc -l >> counts; sleep 0.2;"
                + " rmdir running.$REMUDA_TASK_INDEX",
            "count",
            12,
            "maxRunning",
            2,
            "cpus",
            0);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    List<String> counts = Files.readAllLines(folder.resolve("counts"));
    assertEquals(12, counts.size());
    assertTrue(Set.of("1", "2").containsAll(counts), counts.toString());
  }

  private static void assumeTorch() throws Exception {
    boolean there =
        Files.isExecutable(Path.of(PYTHON))
            && new ProcessBuilder(PYTHON, "-c", "import torch.distributed").start().waitFor() == 0;
    assumeTrue(there, "PyTorch is not installed: Debian's python3-torch");
  }

  private long allReduce(String argument, Object... fields) throws IOException {
    Path program = folder.resolve("all_reduce.py");
    Files.writeString(program, ALL_REDUCE);
    return gang(PYTHON + " " + program + argument, 4, fields);
  }

  private static Set<String> sums(int start) {
    Set<String> lines = new TreeSet<>();
    IntStream.range(0, 4)
        .forEach(rank -> lines.add("start " + start + " rank " + rank + " sum 6.0"));
    return lines;
  }

  @Test
  void pytorch_sums_over_two_machines_from_the_variables_alone_and_again_after_a_kill()
      throws Exception {
    assumeTorch();
    try (CuttableNetwork network = networkOrSkip()) {
      service.serve("--cpus", "1", "--listen", network.address());
      service.agent(network.inside(), "far", "--cpus", "1");
      service.awaitNode("far", "ready");
      long job = allReduce("");
      assertEquals("succeeded", service.awaitEnd(job).path("state").asText(), described(job));
      assertEquals(sums(1), lines(job, 4));
      long killed = allReduce(" die", "retries", 1);
      assertEquals("succeeded", service.awaitEnd(killed).path("state").asText(), described(killed));
      assertEquals(sums(2), lines(killed, 4));
    }
  }

  private static CuttableNetwork networkOrSkip() {
    try {
      return CuttableNetwork.open();
    } catch (IOException none) {
      assumeTrue(false, "no network namespaces here: " + none.getMessage());
      throw new IllegalStateException(none);
    }
  }

  private String described(long job) {
    try {
      StringBuilder all = new StringBuilder(state(job));
      for (int rank = 0; rank < 4; rank++) {
        all.append("\n").append(rank).append(": ").append(service.log(job, rank, "err"));
      }
      return all.toString();
    } catch (IOException fault) {
      return fault.toString();
    }
  }
}
