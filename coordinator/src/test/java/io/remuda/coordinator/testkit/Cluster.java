package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.main.AgentStandIns;
import io.remuda.agent.main.RunningAgent;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.service.ServiceStandIns;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.testkit.scripted.KeeperTime;
import io.remuda.coordinator.testkit.scripted.MovedScheduler;
import io.remuda.coordinator.testkit.scripted.MovedTime;
import io.remuda.coordinator.testkit.scripted.ScriptedKeeper;
import io.remuda.coordinator.testkit.scripted.ScriptedKeepers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A job service in this JVM: a server with its real store and HTTP interface, agents as actors,
 * each with a folder and a name of its own, and commands as calls. AgentKeepers and tasks are
 * processes, unless {@link #withScriptedKeepers} says otherwise.
 */
public final class Cluster extends ServiceUnderTest {

  /** An agent's timers are late by 0.2 s, of which a test makes several. */
  private static final Config SWIFT =
      ConfigFactory.parseMap(Map.of("pekko.scheduler.tick-duration", "20ms"));

  private static final String NEVER = "100d"; // a stream's timers reach no further than 248

  private AgentsInThisProcess agents;
  private ScriptedKeepers keepers;
  private MovedTime time; // null if it is the machine's
  private ServiceStandIns standIns = ServiceStandIns.NONE;
  private RunningJobServer server;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  public Cluster(Installation installation, Path home, Map<String, String> environment) {
    super(installation, home, environment);
    this.agents =
        new AgentsInThisProcess(
            variables(),
            new AgentStandIns(AgentStandIns.NONE.keepers(), AgentStandIns.NONE.nanoClock(), SWIFT));
  }

  /** Has keepers that start no processes; to be called before {@link #serve}. */
  public Cluster withScriptedKeepers() {
    return withScriptedKeepers(KeeperTime.REAL, System::nanoTime, SWIFT);
  }

  /**
   * Has such keepers, and time that is moved by {@link #passes} once the server has started; to be
   * called before {@link #serve}. What the rules of server, agents and keepers go by is moved;
   * connections, disks and samples of the machine go by its own time. A connection that is silent
   * is not noticed, one that ends is.
   */
  public Cluster withManualTime() {
    time = new MovedTime();
    Config config =
        ConfigFactory.parseMap(
                Map.of(
                    "pekko.scheduler.implementation",
                    MovedScheduler.class.getName(),
                    MovedScheduler.NAME,
                    time.name(),
                    "remuda.agent.read-timeout",
                    NEVER))
            .withFallback(SWIFT);
    standIns = new ServiceStandIns(time.clock(), time::nanoTime, config);
    return withScriptedKeepers(time, time::nanoTime, config);
  }

  private Cluster withScriptedKeepers(KeeperTime by, LongSupplier nanoClock, Config config) {
    keepers = new ScriptedKeepers(by);
    agents = new AgentsInThisProcess(variables(), new AgentStandIns(keepers, nanoClock, config));
    return this;
  }

  /** Lets time pass, second by second. */
  public void passes(Duration duration) {
    passes(duration, Duration.ofSeconds(1));
  }

  /**
   * Lets time pass in steps, at the end of which all is done that was due. Agents hear of their
   * server after each: a step that is longer than the contact deadlines ends their tied tasks.
   */
  public void passes(Duration duration, Duration step) {
    time.passes(duration, step);
  }

  /** Returns the moved wall-clock time. */
  public Instant now() {
    return time.clock().instant();
  }

  /** Returns the scripted keeper of a node, which may have no agent yet. */
  public ScriptedKeeper keeper(String node) {
    return keepers.of(node);
  }

  @Override
  public Cluster serve(String... options) throws IOException {
    installation.useHere();
    if (time != null) {
      time.runOn();
    }
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
            Optional.empty(),
            standIns);
    try {
      server = RunningJobServer.start(request);
    } catch (GeneralSecurityException | StoreDamagedException fault) {
      throw new IOException(fault);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
    await("a server that answers", START, () -> isReady(node));
    if (time != null) {
      time.stand();
    }
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
    if (time != null) {
      time.runOn();
    }
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
      if (time != null) {
        time.end();
      }
    }
  }
}
