package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.main.AgentStandIns;
import io.remuda.agent.main.RunningAgent;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.testkit.scripted.KeeperTime;
import io.remuda.coordinator.testkit.scripted.ScriptedKeeper;
import io.remuda.coordinator.testkit.scripted.ScriptedKeepers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job service in this JVM: a server with its real store and HTTP interface, agents as actors,
 * each with a folder and a name of its own, and commands as calls. Keepers and tasks are processes,
 * unless {@link #withScriptedKeepers} says otherwise.
 */
public final class Cluster extends ServiceUnderTest {

  private AgentsInThisProcess agents;
  private ScriptedKeepers keepers;
  private RunningJobServer server;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  public Cluster(Installation installation, Path home, Map<String, String> environment) {
    super(installation, home, environment);
    this.agents = new AgentsInThisProcess(variables(), AgentStandIns.NONE);
  }

  /** Has keepers that start no processes; to be called before {@link #serve}. */
  public Cluster withScriptedKeepers() {
    keepers = new ScriptedKeepers(KeeperTime.REAL);
    agents =
        new AgentsInThisProcess(
            variables(), new AgentStandIns(keepers, System::nanoTime, AgentStandIns.NONE.config()));
    return this;
  }

  /** Returns the scripted keeper of a node, which may have no agent yet. */
  public ScriptedKeeper keeper(String node) {
    return keepers.of(node);
  }

  @Override
  public Cluster serve(String... options) throws IOException {
    installation.useHere();
    List<String> more = new ArrayList<>(List.of(options));
    boolean node = !more.remove("--no-agent");
    RunningJobServer.Request request =
        new RunningJobServer.Request(
            home,
            installation.cache(),
            new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0),
            true,
            System.getProperty("user.name"),
            "vm",
            node ? Optional.of(more) : Optional.empty(),
            agents,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    try {
      server = RunningJobServer.start(request);
    } catch (GeneralSecurityException | StoreDamagedException fault) {
      throw new IOException(fault);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
    await("a server that answers", START, () -> isReady(node));
    return this;
  }

  private boolean isReady(boolean node) throws IOException {
    JsonNode nodes = client().get("/nodes").path("nodes");
    return !node || (nodes.size() > 0 && nodes.get(0).path("state").asText().equals("ready"));
  }

  /** Starts an agent, as of another machine; it joins when it is up. */
  public RunningAgent agent(String name, String... options) throws IOException {
    Path folder = home.resolveSibling(name);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--join", home.resolve("access.json").toString()));
    arguments.addAll(List.of("--name", name, "--folder", folder.toString()));
    arguments.addAll(List.of("--cache", installation.cache().toString()));
    arguments.addAll(List.of(options));
    agents.start(folder, arguments);
    return agents.get(folder);
  }

  @Override
  public Result cli(Map<String, String> more, String... arguments) throws IOException {
    ProcessBuilder builder = builder(List.of(arguments));
    builder.environment().putAll(more);
    return result(builder, VERB);
  }

  /** Ends the server as SIGTERM does, with its agent; tasks go on. */
  public void end() throws IOException {
    server.end(RunningJobServer.End.TASKS_RUN_ON);
    try {
      server.await();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    } finally {
      server = null;
    }
  }

  @Override
  public void close() {
    try {
      agents.leave(); // all at once
      if (server != null) {
        end();
      }
      agents.close();
    } catch (IOException fault) {
      throw new AssertionError(fault);
    } finally {
      super.close();
    }
  }
}
