package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.commandline.EmbeddedCaller;
import io.remuda.agent.main.AgentStandIns;
import io.remuda.agent.main.RunningAgent;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.cli.server.ServeCommand;
import io.remuda.coordinator.main.RemudaProgram;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.testkit.scripted.KeeperTime;
import io.remuda.coordinator.testkit.scripted.ScriptedKeeper;
import io.remuda.coordinator.testkit.scripted.ScriptedKeepers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A job service in this JVM: a server with its real store and HTTP interface, agents as actors,
 * each with a folder and a name of its own, and commands as calls. Keepers and tasks are processes,
 * unless {@link #withScriptedKeepers} says otherwise.
 */
public final class Cluster extends ServiceUnderTest {

  private static final Duration END = Duration.ofSeconds(120);

  private final OutputStream said = new ByteArrayOutputStream();
  private AgentsInThisProcess agents;
  private ScriptedKeepers keepers;
  private RunningJobServer server;
  private CompletableFuture<RunningJobServer.End> ended;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  public Cluster(Installation installation, Path home, Map<String, String> environment) {
    super(installation, home, environment);
    this.agents = agents(AgentStandIns.NONE);
  }

  /** Sets what programs have as system properties, such as {@code remuda.coordinator.grace=5s}. */
  public Cluster with(String... settings) throws IOException {
    Files.createDirectories(home);
    Files.write(home.resolve(LayeredSettingsReader.FILE), List.of(settings));
    return this;
  }

  /** Has keepers that start no processes; to be called before {@link #serve}. */
  public Cluster withScriptedKeepers() {
    keepers = new ScriptedKeepers(KeeperTime.REAL);
    agents = agents(new AgentStandIns(keepers, System::nanoTime, AgentStandIns.NONE.config()));
    return this;
  }

  /** Returns the scripted keeper of a node, which may have no agent yet. */
  public ScriptedKeeper keeper(String node) {
    return keepers.of(node);
  }

  @Override
  public Cluster serve(String... options) throws IOException {
    installation.useHere();
    List<String> words = TestStore.placed(home, words("serve", options));
    Caller caller = caller(Map.of(), said, said);
    RunningJobServer.Request request =
        ServeCommand.request(words.subList(1, words.size()), caller).withLauncher(agents);
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
    return cli(more, Path.of(""), in, arguments);
  }

  /** Runs a command in a folder; its input is null for none. */
  public Result cliIn(Path folder, InputStream in, String... arguments) throws IOException {
    return cli(Map.of(), folder, in, arguments);
  }

  private Result cli(Map<String, String> more, Path folder, InputStream in, String... arguments)
      throws IOException {
    Map<String, String> environment = variables();
    environment.putAll(more);
    List<String> words = TestStore.placed(home, List.of(arguments));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = RemudaProgram.run(words, environment, folder, in, out, err);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
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
