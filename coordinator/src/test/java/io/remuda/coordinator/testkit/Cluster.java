package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.EmbeddedCaller;
import io.remuda.agent.main.AgentStandIns;
import io.remuda.agent.main.RunningAgent;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.cli.server.ServeCommand;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.service.ServiceStandIns;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.testkit.scripted.KeeperTime;
import io.remuda.coordinator.testkit.scripted.MovedScheduler;
import io.remuda.coordinator.testkit.scripted.MovedTime;
import io.remuda.coordinator.testkit.scripted.ScriptedKeeper;
import io.remuda.coordinator.testkit.scripted.ScriptedKeepers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A job service in this JVM: a server with its real store and HTTP interface, agents as actors,
 * each with a folder and a name of its own, and commands as calls. Keepers and tasks are processes,
 * unless {@link #withScriptedKeepers} says otherwise.
 */
public final class Cluster extends ServiceUnderTest {

  private static final Duration END = Duration.ofSeconds(120);

  /** An agent's timers are late by 0.2 s, of which a test makes several. */
  private static final Config SWIFT =
      ConfigFactory.parseMap(Map.of("pekko.scheduler.tick-duration", "20ms"));

  private static final String NEVER = "100d"; // a stream's timers reach no further than 248

  private final OutputStream said = new ByteArrayOutputStream();
  private AgentsInThisProcess agents;
  private ScriptedKeepers keepers;
  private MovedTime time; // null if it is the machine's
  private ServiceStandIns standIns = ServiceStandIns.NONE;
  private RunningJobServer server;
  private CompletableFuture<RunningJobServer.End> ended;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  public Cluster(Installation installation, Path home, Map<String, String> environment) {
    super(installation, home, environment);
    this.agents =
        agents(
            new AgentStandIns(AgentStandIns.NONE.keepers(), AgentStandIns.NONE.nanoClock(), SWIFT));
  }

  /** Sets what programs have as system properties, such as {@code remuda.coordinator.grace=5s}. */
  public Cluster with(String... settings) throws IOException {
    Files.createDirectories(home);
    Files.write(home.resolve(LayeredSettingsReader.FILE), List.of(settings));
    return this;
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
    agents = agents(new AgentStandIns(keepers, nanoClock, config));
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
    List<String> words = TestStore.placed(home, words("serve", options));
    Caller caller = caller(Map.of(), said, said);
    RunningJobServer.Request request =
        ServeCommand.request(words.subList(1, words.size()), caller).with(agents, standIns);
    boolean node = request.agent().isPresent();
    try {
      server = RunningJobServer.start(request);
      ended = whenEnded(server);
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

  /** Carries out the order to end, which a command may give, too. */
  private static CompletableFuture<RunningJobServer.End> whenEnded(RunningJobServer server) {
    CompletableFuture<RunningJobServer.End> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                ended.complete(server.await());
              } catch (IOException | InterruptedException | RuntimeException fault) {
                ended.completeExceptionally(fault);
              }
            },
            "server-end");
    thread.setDaemon(true);
    thread.start();
    return ended;
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

  /** Runs a command on the caller's thread, with nothing on its standard input. */
  @Override
  public Result cli(Map<String, String> more, String... arguments) throws IOException {
    return cli(more, null, arguments);
  }

  /** Runs a command that reads this input. */
  public Result cli(Map<String, String> more, InputStream in, String... arguments)
      throws IOException {
    return call(more, Path.of(""), in, arguments);
  }

  /** Runs a command in a folder; its input is null for none. */
  public Result cliIn(Path folder, InputStream in, String... arguments) throws IOException {
    return call(Map.of(), folder, in, arguments);
  }

  /** Begins a command and does not wait for its end. */
  public BegunCommand begin(String... arguments) throws IOException {
    return new BegunCommand(TestStore.placed(home, List.of(arguments)), variables());
  }

  private AgentsInThisProcess agents(AgentStandIns standIns) {
    return new AgentsInThisProcess(caller(Map.of(), said, said), standIns);
  }

  private Caller caller(Map<String, String> more, OutputStream out, OutputStream err) {
    Map<String, String> environment = variables();
    environment.putAll(more);
    return new EmbeddedCaller(environment, Path.of(""), null, out, err);
  }

  private static List<String> words(String first, String... others) {
    List<String> words = new ArrayList<>(List.of(first));
    words.addAll(List.of(others));
    return words;
  }

  /** Returns what its servers and agents have printed, but for their log. */
  public String said() {
    return said.toString();
  }

  /** Ends the server as SIGTERM does, with its agent; tasks go on. */
  public void end() throws IOException {
    server.end(RunningJobServer.End.TASKS_RUN_ON);
    awaitServerEnd();
  }

  /** Waits until the server has ended, as it does after a command that stops it. */
  public void awaitServerEnd() throws IOException {
    try {
      ended.get(END.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("the server does not end; " + describe(), late);
    } catch (ExecutionException fault) {
      throw new IOException(fault);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    } finally {
      server = null;
    }
  }

  /** Kills all agents at once, as a crash does: they say nothing, and their keepers go on. */
  public void killAgents() throws IOException {
    agents.kill();
  }

  /** Returns how many agents were started, those again that had ended. */
  public int agentStarts() {
    return agents.starts();
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
