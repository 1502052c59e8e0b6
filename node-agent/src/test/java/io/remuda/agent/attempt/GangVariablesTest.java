package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The environment by which the members of a gang find each other. */
class GangVariablesTest {
  private static final ResourceRequest CORE = new ResourceRequest(1, 0);
  private static final GangStart START =
      new GangStart(
          2,
          1,
          20_007,
          List.of(
              member("n1", "10.0.0.1", 20_001, "GPU-1", "GPU-2"),
              member("n1", "10.0.0.1", 20_002),
              member("n2", "fe80::2", 20_001)));

  @TempDir private Path folder;

  private static GangStart.Member member(String node, String address, int port, String... gpus) {
    return new GangStart.Member(
        node, address, port, List.of(gpus).stream().map(DeviceId::new).toList());
  }

  static TaskStartOrder order(int task, GangTerms terms, GangStart start) {
    return new TaskStartOrder(
        AttemptId.parse("7." + task + ".1"),
        "ann",
        false,
        0,
        new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
        List.of(),
        1,
        false,
        new TaskStartOrder.JobFacts(new UUID(1, 2), "train", 3, CORE, terms, start));
  }

  private Map<String, String> variables(int task, GangTerms terms, GangStart start) {
    return new TreeMap<>(
        GangVariables.of(order(task, terms, start), folder, new OwnInterfaces("")));
  }

  @Test
  void all_that_a_member_is_told_is_kept_from_the_jobs_that_it_submits() {
    Map<String, String> told = variables(1, GangTerms.USUAL, START);
    assertEquals(Map.of(), GangVariables.withoutGang(told));
    Map<String, String> own = Map.of("RANK", "3");
    assertEquals(own, GangVariables.withoutGang(own), "no gang has set it");
  }

  /** One of a set of jobs is told its role, and starts without the others. */
  @Test
  void what_a_task_with_a_role_is_told_is_kept_from_the_jobs_that_it_submits() {
    GangTerms apart =
        new GangTerms(
            false,
            GangTerms.Failure.FAIL,
            false,
            List.of(new GangRoleSpec("heavy", 1, 3, 0, CORE)));
    Map<String, String> told = variables(1, apart, null);
    assertEquals("heavy", told.get("REMUDA_ROLE"));
    told.put("PATH", "/bin");
    assertEquals(Map.of("PATH", "/bin"), GangVariables.withoutGang(told));
    Map<String, String> own = Map.of("JOB_INDEX", "3");
    assertEquals(own, GangVariables.withoutGang(own), "Kubernetes has set it");
  }

  @Test
  void a_member_knows_its_rank_and_the_first_members_address() {
    Map<String, String> second = variables(1, GangTerms.USUAL, START);
    assertEquals("1", second.get("RANK"));
    assertEquals("3", second.get("WORLD_SIZE"));
    assertEquals("1", second.get("LOCAL_RANK"));
    assertEquals("2", second.get("LOCAL_WORLD_SIZE"));
    assertEquals("0", second.get("NODE_RANK"));
    assertEquals("10.0.0.1", second.get("MASTER_ADDR"));
    assertEquals("20007", second.get("MASTER_PORT"));
    assertEquals("2", second.get("REMUDA_GANG_START"));
    assertEquals("10.0.0.1,10.0.0.1,fe80::2", second.get("REMUDA_GANG_HOSTS"));
    assertEquals("20002", second.get("REMUDA_GANG_PORT"));
    Map<String, String> third = variables(2, GangTerms.USUAL, START);
    assertEquals("0", third.get("LOCAL_RANK"));
    assertEquals("1", third.get("LOCAL_WORLD_SIZE"));
    assertEquals("1", third.get("NODE_RANK"));
  }

  @Test
  void jax_and_xgboost_have_their_own_names() {
    Map<String, String> third = variables(2, GangTerms.USUAL, START);
    assertEquals("10.0.0.1:20007", third.get("JAXOPERATOR_COORDINATOR_ADDRESS"));
    assertEquals("3", third.get("JAXOPERATOR_NUM_PROCESSES"));
    assertEquals("2", third.get("JAXOPERATOR_PROCESS_ID"));
    assertEquals("20001", third.get("WORKER_PORT"));
    assertEquals("10.0.0.1,10.0.0.1,fe80::2", third.get("WORKER_ADDRS"));
  }

  @Test
  void tf_config_names_every_member_by_its_role() throws IOException {
    GangTerms roles =
        new GangTerms(
            true,
            GangTerms.Failure.FAIL,
            false,
            List.of(
                new GangRoleSpec("Master", 1, 1, 0, CORE),
                new GangRoleSpec("Worker", 2, 1, 0, CORE)));
    JsonNode config = new ObjectMapper().readTree(variables(2, roles, START).get("TF_CONFIG"));
    assertEquals("[\"10.0.0.1:20001\"]", config.at("/cluster/chief").toString());
    assertEquals(
        "[\"10.0.0.1:20002\",\"[fe80::2]:20001\"]", config.at("/cluster/worker").toString());
    assertEquals("{\"type\":\"worker\",\"index\":1}", config.get("task").toString());
    assertEquals("10.0.0.1,fe80::2", variables(2, roles, START).get("WORKER_ADDRS"));
  }

  /** TensorFlow waits for all of the cluster, and an evaluator never joins it. */
  @Test
  void an_evaluator_is_outside_of_the_cluster_and_knows_it() throws IOException {
    for (String name : List.of("Evaluator", "evaluator", "Evaluators")) {
      GangTerms roles =
          new GangTerms(
              true,
              GangTerms.Failure.FAIL,
              false,
              List.of(
                  new GangRoleSpec("Chief", 1, 1, 0, CORE),
                  new GangRoleSpec(name, 1, 1, 0, CORE),
                  new GangRoleSpec("Worker", 1, 1, 0, CORE)));
      for (int task = 0; task < 3; task++) {
        JsonNode config =
            new ObjectMapper().readTree(variables(task, roles, START).get("TF_CONFIG"));
        assertEquals(
            "{\"chief\":[\"10.0.0.1:20001\"],\"worker\":[\"[fe80::2]:20001\"]}",
            config.get("cluster").toString());
      }
      JsonNode own = new ObjectMapper().readTree(variables(1, roles, START).get("TF_CONFIG"));
      assertEquals("{\"type\":\"evaluator\",\"index\":0}", own.get("task").toString());
    }
  }

  @Test
  void torchrun_needs_no_options_in_a_member() {
    Map<String, String> first = variables(0, GangTerms.USUAL, START);
    assertEquals("3", first.get("PET_NNODES"));
    assertEquals("0", first.get("PET_NODE_RANK"));
    assertEquals("2", first.get("PET_NPROC_PER_NODE"), "one process for each GPU");
    assertEquals("10.0.0.1", first.get("PET_MASTER_ADDR"));
    assertEquals("20007", first.get("PET_MASTER_PORT"));
    Map<String, String> second = variables(1, GangTerms.USUAL, START);
    assertEquals("1", second.get("PET_NODE_RANK"));
    assertEquals("1", second.get("PET_NPROC_PER_NODE"), "it has no GPU");
  }

  @Test
  void a_gang_of_one_has_no_tf_config() {
    GangStart alone = new GangStart(1, 0, 20_007, START.members().subList(0, 1));
    Map<String, String> only = variables(0, GangTerms.USUAL, alone);
    assertFalse(only.containsKey("TF_CONFIG"));
    assertEquals("1", only.get("WORLD_SIZE"));
  }

  /** Linux would not start it. */
  @Test
  void what_is_too_long_for_a_variable_is_only_in_the_file() {
    List<GangStart.Member> many = Collections.nCopies(9000, member("n1", "10.123.123.123", 20_001));
    Map<String, String> told = variables(2, GangTerms.USUAL, new GangStart(1, 0, 20_007, many));
    for (String longOne : List.of("TF_CONFIG", "REMUDA_GANG_HOSTS", "WORKER_ADDRS")) {
      assertFalse(told.containsKey(longOne), longOne);
    }
    assertEquals("9000", told.get("WORLD_SIZE"));
    assertTrue(told.containsKey("REMUDA_GANG_FILE"));
  }

  @Test
  void tasks_of_roles_know_their_indexes() {
    GangTerms roles =
        new GangTerms(
            false,
            GangTerms.Failure.FAIL,
            false,
            List.of(
                new GangRoleSpec("heavy", 1, 1, 0, CORE),
                new GangRoleSpec("light", 3, 4, 2, CORE)));
    Map<String, String> task = variables(7, roles, null); // light, its second replica
    assertEquals(
        Map.of(
            "REMUDA_ROLE", "light",
            "REMUDA_ROLE_INDEX", "1",
            "JOB_COMPLETION_INDEX", "2",
            "JOB_INDEX", "1",
            "JOB_GLOBAL_INDEX", "2",
            "GLOBAL_REPLICAS", "4",
            "REPLICATED_JOB_NAME", "light",
            "REPLICATED_JOB_REPLICAS", "3"),
        task);
  }

  @Test
  void a_task_without_a_gang_gets_nothing() {
    assertTrue(variables(0, null, null).isEmpty());
  }

  @Test
  void the_host_file_has_one_line_a_member_with_its_gpus() throws IOException {
    GangVariables.writeFile(START, folder);
    assertEquals(
        List.of(
            "10.0.0.1 slots=2 # rank 0 node n1 gpus GPU-1,GPU-2",
            "10.0.0.1 slots=1 # rank 1 node n1",
            "fe80::2 slots=1 # rank 2 node n2"),
        Files.readAllLines(Path.of(variables(0, GangTerms.USUAL, START).get("REMUDA_GANG_FILE"))));
  }
}
