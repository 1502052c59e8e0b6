package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.coordinator.testkit.CuttableNetwork;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** A gang over two machines, of which one is another network, with a program of PyTorch. */
@Timeout(180)
class GangNetworkIT {
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
  void make() {
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    service.close();
  }

  private long gang(String script, int members, Object... fields) throws IOException {
    List<Object> all = new ArrayList<>(List.of("count", members, "gang", true, "cpus", 0.5));
    all.addAll(List.of(fields));
    return service.submit(script, all.toArray());
  }

  private String state(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("state").asText();
  }

  /** Returns the lines of all members, without an order. */
  private Set<String> lines(long job, int members) throws IOException {
    Set<String> lines = new TreeSet<>();
    for (int rank = 0; rank < members; rank++) {
      service.log(job, rank, "out").lines().forEach(lines::add);
    }
    return lines;
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
