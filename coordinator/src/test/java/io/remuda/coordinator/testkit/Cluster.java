package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.main.RunningAgent;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A job service in this JVM: a server with its real store and HTTP interface, agents as actors,
 * each with a folder and a name of its own, and commands as calls. Keepers and tasks are processes.
 */
public final class Cluster extends ServiceUnderTest {

  private static final Duration END = Duration.ofSeconds(120);

  private final AgentsInThisProcess agents;
  private RunningJobServer server;
  private CompletableFuture<RunningJobServer.End> ended;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  public Cluster(Installation installation, Path home, Map<String, String> environment) {
    super(installation, home, environment);
    this.agents = new AgentsInThisProcess(variables());
  }

  /** Sets what programs have as system properties, such as {@code remuda.coordinator.grace=5s}. */
  public Cluster with(String... settings) throws IOException {
    Files.createDirectories(home);
    Files.write(home.resolve(LayeredSettingsReader.FILE), List.of(settings));
    return this;
  }

  /**
   * Starts a server. Besides those of its agent it knows the options {@code --no-agent}, {@code
   * --insecure} and {@code --store}.
   */
  @Override
  public Cluster serve(String... options) throws IOException {
    installation.useHere();
    List<String> typed = new ArrayList<>(List.of("serve"));
    typed.addAll(List.of(options));
    List<String> more = new ArrayList<>(TestStore.placed(home, typed));
    more.remove("serve");
    boolean node = !more.remove("--no-agent");
    boolean tls = !more.remove("--insecure");
    Optional<DatabaseBackend> database = database(more);
    RunningJobServer.Request request =
        new RunningJobServer.Request(
            home,
            installation.cache(),
            new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0),
            tls,
            System.getProperty("user.name"),
            "vm",
            node ? Optional.of(more) : Optional.empty(),
            agents,
            database,
            Optional.empty(),
            Optional.empty());
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

  private static Optional<DatabaseBackend> database(List<String> options) {
    int at = options.indexOf("--store");
    if (at < 0) {
      return Optional.empty();
    }
    options.remove(at);
    return Optional.of(new PostgresDatabase(options.remove(at)));
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

  @Override
  public Result cli(Map<String, String> more, String... arguments) throws IOException {
    ProcessBuilder builder = builder(List.of(arguments));
    builder.environment().putAll(more);
    return result(builder, VERB);
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
