package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds of trouble for one service: in each, jobs are submitted and some cancelled while a server,
 * an agent, a keeper or a task is killed or stopped for a while. What was acknowledged is never
 * lost, no task ever runs twice at the same time, every job comes to its end, and in the end no
 * process is left. {@code -Dfaults.rounds=200 -Dfaults.seed=1}
 */
class ServiceFaultIT {
  private static final int ROUNDS = Integer.getInteger("faults.rounds", 20);
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());
  private static final List<Role> VICTIMS =
      List.of(Role.COORDINATOR, Role.AGENT, Role.KEEPER, Role.OTHER);
  private static final Duration CALM = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private final List<Long> submitted = new ArrayList<>();
  private final Set<Long> cancelled = new HashSet<>();
  private ServiceProcess service;

  /** Holds a lock while it runs, so that a second copy is seen, and notes its end. */
  private String line() {
    Path locks = folder.resolve("locks");
    return "exec 9> "
        + locks
        + "/$REMUDA_TASK; flock -n 9 || echo $REMUDA_TASK >> "
        + folder.resolve("doubles")
        + "; sleep 0."
        + (1 + random.nextInt(9))
        + "; echo $REMUDA_TASK >> "
        + folder.resolve("done");
  }

  @Test
  void nothing_is_lost_and_nothing_runs_twice_whatever_dies() throws Exception {
    System.out.println("faults: seed " + SEED + ", " + ROUNDS + " rounds");
    Files.createDirectories(folder.resolve("locks"));
    try (ServiceProcess own =
        new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of())) {
      service = own;
      service.serve();
      for (int round = 0; round < ROUNDS; round++) {
        round(round);
      }
      for (long job : submitted) {
        assertEnded(job);
      }
      assertFalse(Files.exists(folder.resolve("doubles")), "two of a task at once");
      assertEquals(0, service.cli("stop").code());
      service.await("the end of all", CALM, () -> service.members().isEmpty());
    }
  }

  private void round(int round) throws Exception {
    List<Long> own = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      own.add(service.submit(line(), "cpus", 0.3, "retries", random.nextInt(2) * 20, "count", 2));
    }
    submitted.addAll(own);
    Thread.sleep(random.nextInt(900));
    String what = strike();
    if (random.nextInt(3) == 0) {
      cancel(own.get(random.nextInt(own.size())));
    }
    service.await("a server that answers", CALM, () -> service.client().get("/nodes") != null);
    for (long job : own) {
      service.awaitEnd(job);
    }
    System.out.printf("round %3d: %s%n", round, what);
  }

  /** Kills one, or stops it for a while; a server that is gone is started again. */
  private String strike() throws Exception {
    Role role = VICTIMS.get(random.nextInt(VICTIMS.size()));
    Optional<Member> victim = victim(role);
    if (victim.isEmpty()) {
      return "no " + role + " to strike";
    }
    if (random.nextInt(3) == 0) {
      int millis = 500 + random.nextInt(6000);
      victim.get().signal("STOP");
      Thread.sleep(millis);
      victim.get().signal("CONT");
      return role + " stopped for " + millis + " ms";
    }
    victim.get().signal("KILL");
    if (role == Role.COORDINATOR) {
      service.awaitServerEnd();
      service.serve();
    }
    return role + " killed";
  }

  private Optional<Member> victim(Role role) {
    return service.members().stream()
        .filter(member -> member.role() == role)
        .filter(member -> role != Role.OTHER || member.commandLine().startsWith("/bin/sh"))
        .filter(member -> role != Role.COORDINATOR || member.commandLine().contains(" serve"))
        .findFirst();
  }

  private void cancel(long job) {
    try {
      service.client().post("/jobs/" + job + "/cancel", null);
      cancelled.add(job);
    } catch (IOException overOrAway) {
      // then it was not acknowledged
    }
  }

  private void assertEnded(long job) throws IOException {
    JsonNode end = service.client().get("/jobs/" + job);
    String state = end.path("state").asText();
    assertTrue(Set.of("succeeded", "failed", "cancelled", "lost").contains(state), end::toString);
    if (cancelled.contains(job)) {
      assertEquals("cancelled", state, end::toString);
    }
    if (state.equals("succeeded")) {
      List<String> done = Files.readAllLines(folder.resolve("done"));
      for (int task = 0; task < 2; task++) {
        assertTrue(done.contains(job + "." + task), job + "." + task + " is not done: " + end);
      }
    }
  }
}
