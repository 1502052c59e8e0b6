package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.CuttableNetwork;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds in which a gang over two nodes runs while parts of the service and its own members are
 * killed, stopped and cut off. Each gang must succeed, all members in the same start, and no start
 * may begin while a process of an earlier one lives. With {@code -Pfaults} only; {@code
 * -Dfaults.rounds=N} and {@code -Dfaults.seed=S}.
 */
class GangFaultIT {
  private static final int ROUNDS = Integer.getInteger("faults.rounds", 10);
  private static final long SEED = Long.getLong("faults.seed", System.currentTimeMillis());
  private static final int MEMBERS = 4;

  /**
   * While a member lives, each of its processes holds a lock, so that a member of a later start
   * says so. It waits for all members of its start, and a little longer.
   */
  private static final String MEMBER =
      """
      say() { echo "$1 $REMUDA_GANG_START $RANK" >> log; }
      exec 9>>alive.$REMUDA_GANG_START.$RANK
      flock -x 9
      for earlier in alive.*; do
        start=${earlier#alive.}
        [ ${start%.*} -ne $REMUDA_GANG_START ] || continue
        exec 8>>$earlier
        flock -n -s 8 || say overlap
        exec 8>&-
      done
      say begin
      touch here.$REMUDA_GANG_START.$RANK
      rank=0
      while [ $rank -lt $WORLD_SIZE ]; do
        while [ ! -e here.$REMUDA_GANG_START.$rank ]; do sleep 0.05; done
        rank=$((rank + 1))
      done
      sleep 3
      say end
      """;

  @TempDir private Path folder;
  private final Map<Integer, Integer> starts = new TreeMap<>();
  private Optional<CuttableNetwork> network = Optional.empty();
  private TroubledService service;

  @AfterEach
  void close() {
    if (service != null) {
      service.close();
    }
    network.ifPresent(CuttableNetwork::close);
  }

  @Test
  void a_gang_succeeds_in_one_start_and_no_two_starts_overlap_whatever_dies() throws Exception {
    System.out.println("faults: " + ROUNDS + " rounds, -Dfaults.seed=" + SEED);
    try {
      network = Optional.of(CuttableNetwork.open());
    } catch (IOException none) {
      System.out.println("faults: no link is cut: " + none.getMessage());
    }
    service = TroubledService.start(folder.resolve("s"), network);
    List<String> failures = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String fault : round(round)) {
        failures.add("round " + round + ", seed " + (SEED + round) + ": " + fault);
        System.out.println(failures.get(failures.size() - 1));
      }
    }
    System.out.println("faults: gangs by their number of starts: " + starts);
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    assertTrue(ROUNDS < 20 || starts.size() > 1, "no gang ever started again");
  }

  /** Submits a gang of four members that say their ports. */
  private long gang(ServiceProcess plain, String script) throws IOException {
    return plain.submit(script, "count", 4, "gang", true, "cpus", 0);
  }

  /** Returns the ports of a gang: that of its rendezvous, and one of each member. */
  private static Set<String> ports(ServiceProcess plain, long job) throws IOException {
    assertEquals("succeeded", plain.awaitEnd(job).path("state").asText());
    Set<String> ports = new TreeSet<>();
    for (int rank = 0; rank < 4; rank++) {
      ports.addAll(List.of(plain.log(job, rank, "out").trim().split(" ")));
    }
    assertEquals(5, ports.size(), ports.toString());
    return ports;
  }

  @Test
  void no_port_is_given_twice_to_fifty_gangs_in_turn_and_to_eight_at_once() throws Exception {
    try (ServiceProcess plain =
        new ServiceProcess(Installation.find(), folder.resolve("p"), Map.of())) {
      plain.serve("--cpus", "1");
      Set<String> all = new TreeSet<>();
      for (int gang = 0; gang < 50; gang++) {
        all.addAll(ports(plain, gang(plain, "echo $MASTER_PORT $REMUDA_GANG_PORT")));
      }
      assertEquals(50 * 5, all.size(), all.toString());
      Path go = folder.resolve("go");
      List<Long> jobs = new ArrayList<>();
      for (int gang = 0; gang < 8; gang++) {
        jobs.add(
            gang(
                plain,
                "echo $MASTER_PORT $REMUDA_GANG_PORT; while [ ! -e %s ]; do sleep 0.1; done"
                    .formatted(go)));
      }
      for (long job : jobs) {
        plain.awaitState(job, "running");
      }
      Files.createFile(go);
      Set<String> atOnce = new TreeSet<>();
      for (long job : jobs) {
        atOnce.addAll(ports(plain, job));
      }
      assertEquals(8 * 5, atOnce.size(), atOnce.toString());
    }
  }

  private List<String> round(int number) throws Exception {
    List<Trouble> troubles = Trouble.random(new SplittableRandom(SEED + number));
    Path place = Files.createDirectories(folder.resolve("r" + number));
    Files.writeString(place.resolve("gang.sh"), MEMBER);
    long job =
        service
            .service()
            .submit(
                "cd " + place + " && exec " + TaskLines.GANG_COMMAND,
                "count",
                MEMBERS,
                "gang",
                Map.of("failure", "restart"),
                "retries",
                100,
                "policy",
                "round-robin",
                "cpus",
                0.5);
    service.service().awaitState(job, "running");
    service.suffer(troubles);
    service.awaitWhole();
    service.awaitAllOver();
    JsonNode row = service.service().client().get("/jobs/" + job);
    List<String> log = Files.readAllLines(place.resolve("log"));
    List<String> faults = new ArrayList<>();
    if (!row.path("state").asText().equals("succeeded")) {
      faults.add("job " + job + " " + row.path("state") + " " + row.path("reason"));
    }
    if (log.stream().anyMatch(line -> line.startsWith("overlap"))) {
      faults.add("two starts overlap: " + log);
    }
    int last = log.stream().mapToInt(line -> Integer.parseInt(line.split(" ")[1])).max().orElse(0);
    long ends =
        log.stream().filter(line -> line.startsWith("end " + last + " ")).distinct().count();
    if (ends != MEMBERS) {
      faults.add(ends + " members ended well in start " + last + ": " + log);
    }
    starts.merge(last, 1, Integer::sum);
    System.out.printf(
        "round %3d seed %d: %s, %d starts, %s %s%n",
        number,
        SEED + number,
        troubles.stream().map(Trouble::toString).collect(Collectors.joining(", ")),
        last,
        service.notDone(),
        faults);
    return faults;
  }
}
