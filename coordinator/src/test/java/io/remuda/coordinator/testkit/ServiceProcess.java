package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Member.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A job service as processes: a server, its agent, its keeper and the tasks. */
public final class ServiceProcess extends ServiceUnderTest {

  private Process server;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  public ServiceProcess(Installation installation, Path home, Map<String, String> environment) {
    super(installation, home, environment);
  }

  @Override
  public ServiceProcess serve(String... options) throws IOException {
    return serveBehind(List.of(), options);
  }

  /** Starts a server behind the words of another command, which becomes the server. */
  public ServiceProcess serveBehind(List<String> before, String... options) throws IOException {
    launchBehind(before, options);
    boolean node = !List.of(options).contains("--no-agent");
    await("a server that answers", START, () -> isReady(node));
    return this;
  }

  /** Starts a server and does not wait for it. */
  public void launch(String... options) throws IOException {
    launchBehind(List.of(), options);
  }

  /** Starts a server behind the words of another command, and does not wait for it. */
  public void launchBehind(List<String> before, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("serve"));
    arguments.addAll(List.of(options));
    List<String> command = new ArrayList<>(before);
    command.addAll(command(arguments));
    server = inEnvironment(command).redirectErrorStream(true).redirectOutput(log("serve")).start();
  }

  /** Starts an agent as people do on other machines; it joins when it is up. */
  public Process agent(String name, String... options) throws IOException {
    return agent(List.of(), name, options);
  }

  /** Starts an agent behind the words of another command, which runs it elsewhere. */
  public Process agent(List<String> before, String name, String... options) throws IOException {
    return agentProcess(before, name, options);
  }

  private boolean isReady(boolean node) throws IOException {
    if (!server.isAlive()) {
      throw new AssertionError(
          "the server ended with "
              + server.exitValue()
              + ": "
              + Files.readString(home.resolveSibling("serve.out")));
    }
    try {
      JsonNode nodes = client().get("/nodes").path("nodes");
      return !node || (nodes.size() > 0 && nodes.get(0).path("state").asText().equals("ready"));
    } catch (RestFailureException notYet) {
      return false;
    }
  }

  @Override
  public Result cli(Map<String, String> more, String... arguments) throws IOException {
    ProcessBuilder builder = builder(List.of(arguments));
    builder.environment().putAll(more);
    return result(builder, VERB);
  }

  /** Returns whether a server lives, started by this or by a command. */
  public boolean isServing() {
    return members().stream()
        .anyMatch(one -> one.role() == Role.COORDINATOR && one.commandLine().contains(" serve"));
  }

  /** The only process of a role. */
  public Member member(Role role) {
    return members().stream()
        .filter(member -> member.role() == role)
        .filter(member -> role != Role.COORDINATOR || member.commandLine().contains(" serve"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + role + "; " + describe()));
  }

  /** Waits until the server's process is gone. */
  public int awaitServerEnd() throws InterruptedException {
    if (!server.waitFor(120, TimeUnit.SECONDS)) {
      throw new AssertionError("the server does not end; " + describe());
    }
    return server.exitValue();
  }
}
