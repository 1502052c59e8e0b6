package io.remuda.coordinator.cli.script;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Finds out at the submission what would fail when the job starts: a program or working folder that
 * is missing. Only this machine is looked at, so it counts only if the job must run here.
 *
 * @param fault why the job cannot start on this machine
 * @param where the machines of the nodes
 */
public record ProgramCheck(String fault, Where where) {

  /** Where the nodes are. */
  public enum Where {
    /** All on this machine: the job cannot start. */
    HERE,
    /** Some on this machine: the job must start elsewhere. */
    ALSO_HERE,
    /** On other machines, or unknown. */
    ELSEWHERE
  }

  /** Returns whether no node can start the job. */
  public boolean isEverywhere() {
    return where == Where.HERE;
  }

  /** What may make the program before the job starts. */
  private static final List<String> LATER = List.of("after", "afterOneOf", "hold", "begin");

  /**
   * Checks a request for one job; empty if it can start here, or nothing can be said: it runs in a
   * container, has roles, or waits for what may make its files.
   *
   * @param caller in whose folder files are looked for that may be meant
   */
  public static Optional<ProgramCheck> of(
      Map<String, Object> request, RestClient server, Caller caller) throws IOException {
    boolean unclear =
        request.containsKey("container")
            || LATER.stream().anyMatch(request::containsKey)
            || request.get("gang") instanceof Map<?, ?> gang && gang.containsKey("roles");
    if (unclear || !(request.get("workdir") instanceof String workdir)) {
      return Optional.empty();
    }
    String program = request.get("argv") instanceof List<?> argv ? (String) argv.get(0) : "/bin/sh";
    Object path = request.get("env") instanceof Map<?, ?> env ? env.get("PATH") : null;
    Path folder = Path.of(workdir);
    Optional<String> fault =
        new ScriptLookup(
                caller.absolute(Path.of("")),
                folder,
                path instanceof String text ? text : ScriptLookup.DEFAULT_PATH)
            .fault(program);
    return fault.isEmpty()
        ? Optional.empty()
        : Optional.of(new ProgramCheck(fault.get(), where(server)));
  }

  private static Where where(RestClient server) throws IOException {
    return where(server.get("/nodes").path("nodes"), PidScope.here());
  }

  static Where where(JsonNode nodes, String machine) {
    List<String> machines =
        StreamSupport.stream(nodes.spliterator(), false)
            .map(node -> node.path("machine").asText(""))
            .toList();
    boolean here = !machine.isEmpty() && machines.contains(machine);
    return !here
        ? Where.ELSEWHERE
        : machines.stream().allMatch(machine::equals) ? Where.HERE : Where.ALSO_HERE;
  }
}
