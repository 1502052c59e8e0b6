package io.remuda.coordinator.store.row;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectReader;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.Workload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Converts job specs to text and back. Thousands of jobs come from the same shell, so each
 * environment is stored once and referred to by its hash, in the file and in memory. Identical
 * workloads of an array are stored as one.
 */
public final class JobSpecCodec {

  /**
   * A stored job.
   *
   * @param job complete, or with one of its alike tasks and without the environment of that
   * @param count number of the alike tasks
   * @param environment hash of the environment; null if {@code job} has it
   * @param runs if {@code job} has one task of each role, the number of these; else null
   * @param policy of the job if earlier builds do not know it: {@code job} has one that they know,
   *     so that they can read it, too; else null
   */
  public record Alike(
      JobSpec job,
      int count,
      String environment,
      @JsonInclude(JsonInclude.Include.NON_NULL) List<Integer> runs,
      @JsonInclude(JsonInclude.Include.NON_NULL) PlacementPolicy policy) {}

  private static final ObjectReader READER = RowMapping.JSON.readerFor(Alike.class);

  private final Map<String, Map<String, String>> known = new HashMap<>();

  /**
   * The columns of a job's spec.
   *
   * @param body the {@link Alike} as JSON
   * @param environment hash of the environment, or null if it is in the body
   * @param variables the environment as JSON, or null
   */
  public record Text(String body, String environment, String variables) {}

  public static Text write(JobSpec job) {
    Workload first = job.tasks().get(0);
    boolean alike = job.tasks().stream().allMatch(workload -> workload == first);
    if (!alike || !(first instanceof CommandWorkload command)) {
      return new Text(json(byRuns(job)), null, null);
    }
    String variables = RowMapping.json(new TreeMap<>(command.environment()));
    String hash = hash(variables);
    Workload bare = command.in(Map.of());
    JobSpec one = withTasks(job, List.of(bare));
    return new Text(json(new Alike(one, job.tasks().size(), hash, null, null)), hash, variables);
  }

  private static String json(Alike alike) {
    PlacementPolicy policy = alike.job().terms().policy();
    return RowMapping.json(
        policy.isKnownToEarlierBuilds() ? alike : placed(alike, PlacementPolicy.PACK, policy));
  }

  private static Alike placed(Alike alike, PlacementPolicy policy, PlacementPolicy beside) {
    JobSpec job = alike.job();
    JobSpec placed = job.withTerms(job.terms().withPolicy(policy));
    return new Alike(placed, alike.count(), alike.environment(), alike.runs(), beside);
  }

  /** Returns the job with one of the tasks that follow each other and do the same. */
  private static Alike byRuns(JobSpec job) {
    List<Workload> distinct = new ArrayList<>();
    List<Integer> runs = new ArrayList<>();
    for (Workload task : job.tasks()) {
      int last = distinct.size() - 1;
      if (last >= 0 && distinct.get(last) == task) {
        runs.set(last, runs.get(last) + 1);
      } else {
        distinct.add(task);
        runs.add(1);
      }
    }
    return new Alike(withTasks(job, distinct), 0, null, runs, null);
  }

  private static JobSpec expanded(JobSpec job, List<Integer> runs) {
    List<Workload> tasks = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      tasks.addAll(Collections.nCopies(runs.get(i), job.tasks().get(i)));
    }
    return withTasks(job, tasks);
  }

  private static JobSpec withTasks(JobSpec job, List<Workload> tasks) {
    return new JobSpec(
        job.id(),
        job.uuid(),
        job.name(),
        job.user(),
        job.tied(),
        job.request(),
        job.threads(),
        job.terms(),
        tasks);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Returns the job of {@code body}, with its environment looked up. */
  public JobSpec read(String body, Connection connection)
      throws SQLException, StoreDamagedException {
    return whole(parse(body), connection);
  }

  /** Parses {@code body}. Thread-safe. */
  public static Alike parse(String body) throws StoreDamagedException {
    try {
      Alike read = READER.readValue(body);
      return read.policy() == null ? read : placed(read, read.policy(), null);
    } catch (JsonProcessingException fault) {
      throw new StoreDamagedException("cannot read '" + body + "'", fault);
    }
  }

  /** For {@code LIKE}: what each body has that {@link #frozenTrees} finds something in. */
  public static final String WITH_FROZEN_TREE = "%\"tree\"%";

  /** Returns the hashes of the frozen trees of which tasks of a job get copies. Thread-safe. */
  public static Set<String> frozenTrees(String body) throws StoreDamagedException {
    Set<String> hashes = new HashSet<>();
    for (Workload task : parse(body).job().tasks()) {
      if (task instanceof CommandWorkload command
          && command.launch() != null
          && command.launch().tree() != null) {
        hashes.add(command.launch().tree().hash());
      }
    }
    return hashes;
  }

  /** Returns the complete job, with its environment looked up. */
  public JobSpec whole(Alike alike, Connection connection)
      throws SQLException, StoreDamagedException {
    if (alike.environment() == null) {
      return alike.runs() == null ? alike.job() : expanded(alike.job(), alike.runs());
    }
    CommandWorkload bare = (CommandWorkload) alike.job().tasks().get(0);
    Workload whole = bare.in(environment(alike.environment(), connection));
    return withTasks(alike.job(), Collections.nCopies(alike.count(), whole));
  }

  private Map<String, String> environment(String hash, Connection connection)
      throws SQLException, StoreDamagedException {
    Map<String, String> found = known.get(hash);
    if (found != null) {
      return found;
    }
    try (PreparedStatement query =
        connection.prepareStatement("SELECT * FROM environments WHERE hash = ?")) {
      query.setString(1, hash);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw new StoreDamagedException("environment " + hash + " is missing");
        }
        String text = RowMapping.ENVIRONMENTS.read(row).getValue();
        Map<String, String> variables =
            Map.copyOf(RowMapping.parse(text, new TypeReference<Map<String, String>>() {}));
        known.put(hash, variables);
        return variables;
      }
    }
  }
}
