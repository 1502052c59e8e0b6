package io.remuda.agent.attempt;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.json.PlainJson;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The environment by which the members of a gang find each other: the variables of PyTorch and of
 * its launchers, {@code TF_CONFIG}, and those that the operators of Kubeflow and AIchor set.
 * docs/gangs.md documents them.
 */
public final class GangVariables {

  /** The variable that only members of gangs have: the number of their start. */
  public static final String START = "REMUDA_GANG_START";

  /** What the tasks of a job with roles have, whether they start together or not. */
  private static final Set<String> OF_ROLE =
      Set.of(
          "REMUDA_ROLE",
          "REMUDA_ROLE_INDEX",
          "JOB_COMPLETION_INDEX",
          "JOB_INDEX",
          "JOB_GLOBAL_INDEX",
          "GLOBAL_REPLICAS",
          "REPLICATED_JOB_NAME",
          "REPLICATED_JOB_REPLICAS");

  /** All that tell a member of its gang, and that nobody else may set. */
  public static final Set<String> NAMES =
      withRole(
          START,
          "REMUDA_GANG_FILE",
          "REMUDA_GANG_HOSTS",
          "REMUDA_GANG_PORT",
          "RANK",
          "WORLD_SIZE",
          "LOCAL_RANK",
          "LOCAL_WORLD_SIZE",
          "NODE_RANK",
          "MASTER_ADDR",
          "MASTER_PORT",
          "PET_NNODES",
          "PET_NODE_RANK",
          "PET_NPROC_PER_NODE",
          "PET_MASTER_ADDR",
          "PET_MASTER_PORT",
          "JAXOPERATOR_COORDINATOR_ADDRESS",
          "JAXOPERATOR_NUM_PROCESSES",
          "JAXOPERATOR_PROCESS_ID",
          "WORKER_PORT",
          "WORKER_ADDRS",
          "TF_CONFIG");

  /** The network interface of a member's node, unless the user has named one. */
  static final List<String> INTERFACES = List.of("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME");

  /**
   * Returns the variables of a shell without those of the gang that it is a member of, or of the
   * port of the single task that it is: a job that a task submits must not get them.
   */
  public static Map<String, String> withoutGang(Map<String, String> shell) {
    if (!shell.containsKey(START)) {
      Map<String, String> others = new HashMap<>(TaskPortVariables.withoutTask(shell));
      if (OF_ROLE.stream().allMatch(shell::containsKey)) { // a task of a job with roles
        others.keySet().removeAll(OF_ROLE);
      }
      return others;
    }
    Map<String, String> rest = new HashMap<>(shell);
    rest.keySet().removeAll(NAMES);
    rest.keySet().removeAll(INTERFACES);
    return rest;
  }

  /** Name of the host file in the scratch folder. */
  public static final String FILE = "gang-hosts";

  /** Linux starts no program with a longer variable than 128 KiB, its name included. */
  static final int LONGEST = (128 << 10) - 100;

  /** The type of a task that TensorFlow counts as outside of the cluster that trains. */
  private static final String EVALUATOR = "evaluator";

  private GangVariables() {}

  private static Set<String> withRole(String... others) {
    Set<String> all = new HashSet<>(OF_ROLE);
    all.addAll(List.of(others));
    return Set.copyOf(all);
  }

  /**
   * Returns the variables of a task; none if its job has neither a gang nor roles.
   *
   * @param scratch its scratch folder, in which {@link #writeFile} leaves the host file
   */
  public static Map<String, String> of(
      TaskStartOrder order, Path scratch, OwnInterfaces interfaces) {
    Map<String, String> all = new HashMap<>();
    int task = order.attempt().task().index();
    GangTerms terms = order.job().gang();
    if (terms != null && !terms.roles().isEmpty()) {
      role(terms, task, all);
    }
    if (order.job().start() != null) {
      member(order.job().start(), terms, task, interfaces, all);
      all.put("REMUDA_GANG_FILE", scratch.resolve(FILE).toString());
    }
    return all;
  }

  private static void role(GangTerms terms, int task, Map<String, String> all) {
    GangTerms.Part part = terms.part(task);
    int before = 0;
    for (GangRoleSpec role : terms.roles().subList(0, terms.roles().indexOf(part.role()))) {
      before += role.count();
    }
    int replicas = terms.roles().stream().mapToInt(GangRoleSpec::count).sum();
    all.put("REMUDA_ROLE", part.role().name());
    all.put("REMUDA_ROLE_INDEX", Integer.toString(part.replica()));
    all.put("JOB_COMPLETION_INDEX", Integer.toString(task - part.from()));
    all.put("JOB_INDEX", Integer.toString(part.replica()));
    all.put("JOB_GLOBAL_INDEX", Integer.toString(before + part.replica()));
    all.put("GLOBAL_REPLICAS", Integer.toString(replicas));
    all.put("REPLICATED_JOB_NAME", part.role().name());
    all.put("REPLICATED_JOB_REPLICAS", Integer.toString(part.role().count()));
  }

  private static void member(
      GangStart start,
      GangTerms terms,
      int rank,
      OwnInterfaces interfaces,
      Map<String, String> all) {
    List<GangStart.Member> members = start.members();
    String node = members.get(rank).node();
    List<String> nodes = members.stream().map(GangStart.Member::node).distinct().toList();
    long besides = members.stream().filter(other -> other.node().equals(node)).count();
    long before =
        members.subList(0, rank).stream().filter(other -> other.node().equals(node)).count();
    String size = Integer.toString(members.size());
    String master = members.get(0).address();
    String port = Integer.toString(start.masterPort());
    all.put("RANK", Integer.toString(rank));
    all.put("WORLD_SIZE", size);
    all.put("LOCAL_RANK", Long.toString(before));
    all.put("LOCAL_WORLD_SIZE", Long.toString(besides));
    all.put("NODE_RANK", Integer.toString(nodes.indexOf(node)));
    all.put("MASTER_ADDR", master);
    all.put("MASTER_PORT", port);
    launcher(start, rank, all);
    all.put(START, Integer.toString(start.number()));
    all.put(
        "REMUDA_GANG_HOSTS",
        members.stream().map(GangStart.Member::address).collect(Collectors.joining(",")));
    all.put("REMUDA_GANG_PORT", Integer.toString(members.get(rank).port()));
    all.put("JAXOPERATOR_COORDINATOR_ADDRESS", inUrl(master) + ":" + port);
    all.put("JAXOPERATOR_NUM_PROCESSES", size);
    all.put("JAXOPERATOR_PROCESS_ID", Integer.toString(rank));
    all.put("WORKER_PORT", Integer.toString(members.get(rank).port()));
    all.put("WORKER_ADDRS", String.join(",", workers(members, terms)));
    if (members.size() > 1) {
      all.put("TF_CONFIG", tfConfig(members, terms, rank));
    }
    all.values().removeIf(value -> value.length() > LONGEST); // ASCII
    all.putAll(interfaces.variables(members.get(rank).address()));
  }

  /**
   * Sets the defaults of {@code torchrun}, to which each member is what it calls a node: {@code
   * torchrun train.py} starts a process for each of its GPUs.
   */
  private static void launcher(GangStart start, int rank, Map<String, String> all) {
    GangStart.Member own = start.members().get(rank);
    all.put("PET_NNODES", Integer.toString(start.members().size()));
    all.put("PET_NODE_RANK", Integer.toString(rank));
    all.put("PET_NPROC_PER_NODE", Integer.toString(Math.max(1, own.devices().size())));
    all.put("PET_MASTER_ADDR", start.members().get(0).address());
    all.put("PET_MASTER_PORT", Integer.toString(start.masterPort()));
  }

  /** Returns the addresses of the workers: the members whose role is not the master. */
  private static List<String> workers(List<GangStart.Member> members, GangTerms terms) {
    List<String> workers = new ArrayList<>();
    for (int rank = 0; rank < members.size(); rank++) {
      if (!type(terms, rank).equals("chief")) {
        workers.add(members.get(rank).address());
      }
    }
    return workers;
  }

  /** Returns the type of a member in {@code TF_CONFIG}; TensorFlow 2 calls a master chief. */
  private static String type(GangTerms terms, int rank) {
    if (terms == null || terms.roles().isEmpty()) {
      return "worker";
    }
    String role = terms.part(rank).role().name().toLowerCase(Locale.ROOT);
    return switch (role) {
      case "master" -> "chief";
      case "workers" -> "worker";
      case "evaluators" -> EVALUATOR;
      default -> role;
    };
  }

  private static String tfConfig(List<GangStart.Member> members, GangTerms terms, int rank) {
    Map<String, List<String>> byType = new LinkedHashMap<>();
    int index = 0;
    for (int other = 0; other < members.size(); other++) {
      GangStart.Member member = members.get(other);
      List<String> alike = byType.computeIfAbsent(type(terms, other), type -> new ArrayList<>());
      index = other == rank ? alike.size() : index;
      alike.add(inUrl(member.address()) + ":" + member.port());
    }
    Map<String, Object> task = new LinkedHashMap<>();
    task.put("type", type(terms, rank));
    task.put("index", index);
    byType.remove(EVALUATOR);
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("cluster", byType);
    config.put("task", task);
    try {
      return PlainJson.MAPPER.writeValueAsString(config);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("texts and numbers can be written", impossible);
    }
  }

  /** Returns an address as it stands before a colon and a port. */
  private static String inUrl(String address) {
    return address.indexOf(':') < 0 ? address : "[" + address + "]";
  }

  /** Writes the host file of a member: one line each, as Open MPI reads it. */
  static void writeFile(GangStart start, Path scratch) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < start.members().size(); rank++) {
      GangStart.Member member = start.members().get(rank);
      text.append(member.address())
          .append(" slots=")
          .append(Math.max(1, member.devices().size()))
          .append(" # rank ")
          .append(rank)
          .append(" node ")
          .append(member.node());
      if (!member.devices().isEmpty()) {
        text.append(" gpus ")
            .append(member.devices().stream().map(DeviceId::uuid).collect(Collectors.joining(",")));
      }
      text.append('\n');
    }
    Files.write(scratch.resolve(FILE), text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
