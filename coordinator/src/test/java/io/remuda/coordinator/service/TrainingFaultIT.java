package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds in which two trainings on two nodes are preempted by an urgent job while a server, an
 * agent or a keeper is killed, at a random moment from the request on: asked, saving, ended,
 * waiting or started again. Each job must end once and well, no snapshot may be lost, nothing may
 * run twice at the same time, and only the interrupted epoch of a training may be done twice. With
 * {@code -Pfaults} only; {@code -Dfaults.rounds=N} and {@code -Dfaults.seed=S}.
 */
class TrainingFaultIT {
  private static final int ROUNDS = Integer.getInteger("faults.rounds", 10);
  private static final long SEED = Long.getLong("faults.seed", System.currentTimeMillis());
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final int EPOCHS = 8;
  private static final int LATEST_MILLIS = 2500;

  /** What many rounds have to hit, besides the short start: asked or saving, left, goes on. */
  private static final Set<String> STEPS =
      Set.of("running", "stopping", "waiting", "running again");

  private static final Role[] ROLES = {Role.COORDINATOR, Role.AGENT, Role.KEEPER};

  @TempDir private Path folder;
  private ServiceProcess service;
  private long repeated;
  private long lostMillis;
  private long preemptions;

  /** What the trainings were doing at the kills, with how often. */
  private final Map<String, Integer> steps = new TreeMap<>();

  @AfterEach
  void end() {
    service.close();
  }

  @Test
  void a_preempted_training_ends_once_and_loses_no_snapshot_whatever_dies() throws Exception {
    System.out.println("faults: " + ROUNDS + " rounds, -Dfaults.seed=" + SEED);
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "1");
    service.agent("n2", "--cpus", "1");
    service.awaitNode("n2", "ready");
    List<String> failures = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String fault : round(round, new SplittableRandom(SEED + round))) {
        failures.add("round " + round + ", seed " + (SEED + round) + ": " + fault);
        System.out.println(failures.get(failures.size() - 1));
      }
    }
    System.out.println(
        "faults: "
            + preemptions
            + " preemptions, "
            + repeated
            + " epochs done twice, "
            + lostMillis
            + " ms of run time lost; at the kills: "
            + steps);
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    assertTrue(preemptions >= ROUNDS / 2, "the test is about preemption");
    assertTrue(ROUNDS < 50 || steps.keySet().containsAll(STEPS), () -> "not seen: " + steps);
  }

  private List<String> round(int number, SplittableRandom random) throws Exception {
    List<Path> places = new ArrayList<>();
    List<Long> trainings = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path place = Files.createDirectories(folder.resolve("r" + number + "-" + i));
      try (InputStream script = TrainingFaultIT.class.getResourceAsStream("/training_client.py")) {
        Files.copy(script, place.resolve("train.py"));
      }
      places.add(place);
      trainings.add(
          service.submit(
              "cd " + place + " && exec python3 train.py",
              "epochs",
              EPOCHS,
              "snapshots",
              place.resolve("snap").toString(),
              "cpus",
              1,
              "retries",
              20));
    }
    for (long training : trainings) {
      service.await("an epoch", LONG, () -> epochs(training) >= 1);
    }
    long urgent = service.submit("sleep 0.3", "priority", 5, "cpus", 1, "retries", 20);
    Thread.sleep(random.nextInt(LATEST_MILLIS));
    Role victim = ROLES[random.nextInt(ROLES.length)];
    List<Member> members =
        service.members().stream().filter(member -> member.role() == victim).toList();
    for (long training : trainings) {
      steps.merge(step(training), 1, Integer::sum);
    }
    if (!members.isEmpty()) {
      members.get(random.nextInt(members.size())).signal("KILL");
    }
    Thread.sleep(random.nextInt(500));
    makeWhole(victim);
    List<String> faults = new ArrayList<>();
    for (long job : List.of(urgent, trainings.get(0), trainings.get(1))) {
      JsonNode row = service.awaitEnd(job);
      if (!row.path("state").asText().equals("succeeded")) {
        faults.add(victim + ": job " + job + " " + row.path("state") + " " + row.path("reason"));
      }
    }
    for (int i = 0; i < 2; i++) {
      faults.addAll(faultsOf(trainings.get(i), Files.readAllLines(places.get(i).resolve("log"))));
    }
    System.out.printf("round %3d seed %d: %s killed, %s%n", number, SEED + number, victim, faults);
    return faults;
  }

  /** Starts what was killed and is not started again by itself. */
  private void makeWhole(Role killed) throws Exception {
    if (killed == Role.COORDINATOR) {
      service.serve("--cpus", "1");
    }
    long agents = service.members().stream().filter(one -> one.role() == Role.AGENT).count();
    if (killed == Role.AGENT && agents < 2 && isSilent("n2")) {
      service.agent("n2", "--cpus", "1");
    }
    service.awaitNode("n2", "ready");
  }

  private boolean isSilent(String node) throws IOException, InterruptedException {
    Thread.sleep(4000); // the server starts its own agent again, and hears that n2 is silent
    for (JsonNode one : service.client().get("/nodes").path("nodes")) {
      if (one.path("name").asText().equals(node)) {
        return one.path("state").asText().equals("silent");
      }
    }
    return false;
  }

  /** Returns how far the preemption of a training is. */
  private String step(long job) throws IOException {
    JsonNode shown = service.client().get("/jobs/" + job);
    String state = shown.path("state").asText();
    boolean again = shown.path("attempts").path(0).path("attempt").asInt() > 1;
    return again && !state.equals("waiting") ? state + " again" : state;
  }

  private int epochs(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("epochsDone").asInt();
  }

  private List<String> faultsOf(long job, List<String> log) throws IOException {
    List<String> faults = new ArrayList<>();
    int done = 0;
    for (String line : log) {
      if (line.startsWith("twice")) {
        faults.add("job " + job + " ran twice at the same time: " + log);
      } else if (line.startsWith("begin ")) {
        String[] words = line.split("[ ,]+");
        int from = Integer.parseInt(words[3]);
        int saved = Integer.parseInt(words[5]);
        if (saved < from || from > done) {
          faults.add("job " + job + " has lost a snapshot: " + log);
        }
        repeated += done - from;
        if (done - from > 1) {
          faults.add("job " + job + " repeats more than one epoch: " + log);
        }
        done = from;
      } else if (line.startsWith("epoch ")) {
        if (Integer.parseInt(line.substring(6)) != done) {
          faults.add("job " + job + " does epochs in a wrong order: " + log);
        }
        done++;
      }
    }
    long ends = log.stream().filter("done"::equals).count();
    if (ends != 1 || done != EPOCHS) {
      faults.add("job " + job + " ended " + ends + " times after " + done + " epochs: " + log);
    }
    for (JsonNode task : service.client().get("/jobs/" + job).path("attempts")) {
      preemptions += task.path("preemptions").asLong();
      lostMillis += task.path("lostMillis").asLong();
    }
    return faults;
  }
}
