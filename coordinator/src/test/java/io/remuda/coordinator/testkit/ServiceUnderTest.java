package io.remuda.coordinator.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cli.select.FinalStates;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.main.RemudaProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A job service with its agents, as tests see it: {@link ServiceProcess} is one of processes,
 * {@link Cluster} one in this JVM. All of its processes carry a mark in their environment, by which
 * they are found and, on {@link #close}, ended.
 */
public abstract class ServiceUnderTest implements AutoCloseable {

  private static final String MARK = "REMUDA_TEST_MARK";
  static final Duration START = Duration.ofSeconds(120);
  static final Duration VERB = Duration.ofSeconds(120);
  private static final Duration TOOL = Duration.ofMinutes(3);
  private static final Duration KILLED = Duration.ofSeconds(10);
  private static final int LOG_END = 4000;

  /** What a program printed and how it ended. */
  public record Result(int code, String out, String err) {}

  final Installation installation;
  final Path home;
  private final String mark = UUID.randomUUID().toString();
  final Map<String, String> environment;
  private RestClient client;
  private String clientAccess;

  /** A service that is not started yet; {@code environment} is added to all of its processes'. */
  ServiceUnderTest(Installation installation, Path home, Map<String, String> environment) {
    this.installation = installation;
    this.home = home;
    this.environment = environment;
  }

  /** Name and value of the variable that all of its processes have. */
  public String markName() {
    return MARK;
  }

  public String mark() {
    return mark;
  }

  public Path home() {
    return home;
  }

  /** Starts a server and waits until it answers and, unless it has no agent, has a node. */
  public abstract ServiceUnderTest serve(String... options) throws IOException;

  final ProcessBuilder.Redirect log(String name) {
    return ProcessBuilder.Redirect.appendTo(home.resolveSibling(name + ".out").toFile());
  }

  /** Waits until a node is in a state. */
  public void awaitNode(String name, String state) {
    await("node " + name + " " + state, START, () -> nodeState(name).equals(state));
  }

  private String nodeState(String name) throws IOException {
    for (JsonNode node : client().get("/nodes").path("nodes")) {
      if (node.path("name").asText().equals(name)) {
        return node.path("state").asText();
      }
    }
    return "unknown";
  }

  final ProcessBuilder builder(List<String> arguments) throws IOException {
    return inEnvironment(command(arguments));
  }

  final List<String> command(List<String> arguments) throws IOException {
    return installation.command(TestStore.placed(home, arguments));
  }

  final ProcessBuilder inEnvironment(List<String> command) throws IOException {
    Files.createDirectories(home);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(variables());
    return builder;
  }

  /** The environment of its programs. */
  final Map<String, String> variables() {
    Map<String, String> all = new LinkedHashMap<>(System.getenv());
    all.keySet().removeIf(name -> name.startsWith("REMUDA_"));
    all.put("REMUDA_HOME", home.toString());
    all.putAll(installation.variables());
    all.put("REMUDA_DEVICE_LOCKS", home.resolveSibling("locks").toString());
    all.put(MARK, mark);
    all.putAll(environment);
    return all;
  }

  /** Starts a verb and does not wait for its end; what it prints goes to {@code NAME.out}. */
  public Process start(String name, String... arguments) throws IOException {
    return builder(List.of(arguments)).redirectErrorStream(true).redirectOutput(log(name)).start();
  }

  /** Starts an agent as a process, behind the words of another command, which runs it elsewhere. */
  public Process agentProcess(List<String> before, String name, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("agent"));
    arguments.addAll(List.of("--join", home.resolve("access.json").toString()));
    arguments.addAll(List.of("--name", name, "--folder", home.resolveSibling(name).toString()));
    arguments.addAll(List.of("--cache", installation.cache().toString()));
    arguments.addAll(List.of(options));
    List<String> command = new ArrayList<>(before);
    command.addAll(installation.command(arguments));
    return inEnvironment(command).redirectErrorStream(true).redirectOutput(log(name)).start();
  }

  /** Runs a command; {@link ServiceProcess} as a process of its own. */
  public Result cli(String... arguments) throws IOException {
    return cli(Map.of(), arguments);
  }

  /** Runs a command with more variables in its environment. */
  public abstract Result cli(Map<String, String> more, String... arguments) throws IOException;

  /** Runs a command in this JVM, on the caller's thread, with nothing on its standard input. */
  public Result call(String... arguments) throws IOException {
    return call(Map.of(), arguments);
  }

  /** Runs a command in this JVM with more variables in its environment. */
  public Result call(Map<String, String> more, String... arguments) throws IOException {
    return call(more, Path.of(""), null, arguments);
  }

  final Result call(Map<String, String> more, Path folder, InputStream in, String... arguments)
      throws IOException {
    installation.useHere();
    Map<String, String> environment = variables();
    environment.putAll(more);
    List<String> words = TestStore.placed(home, List.of(arguments));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = RemudaProgram.run(words, environment, folder, in, out, err);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** A line for a shell that runs a verb, as in a terminal. */
  public String shellLine(String... arguments) throws IOException {
    ProcessBuilder verb = builder(List.of(arguments));
    Stream<String> variables =
        verb.environment().entrySet().stream()
            .filter(one -> one.getKey().startsWith("REMUDA_"))
            .map(one -> one.getKey() + "=" + quoted(one.getValue()));
    return Stream.concat(variables, verb.command().stream().map(ServiceUnderTest::quoted))
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return "'" + word + "'";
  }

  /**
   * Runs any other program where {@code remuda} is a command that finds this service.
   *
   * @param debian the package that it is in
   * @param more in its environment
   */
  public Result tool(String debian, Path folder, Map<String, String> more, String... command)
      throws IOException {
    ProcessBuilder builder = inEnvironment(List.of(command)).directory(folder.toFile());
    builder.environment().putAll(more);
    builder.environment().put("PATH", commands() + ":" + System.getenv("PATH"));
    try {
      return result(builder, TOOL);
    } catch (IOException missing) {
      throw new AssertionError(command[0] + " is missing: apt-get install " + debian, missing);
    }
  }

  private Path commands() throws IOException {
    Path folder = Files.createDirectories(home.resolveSibling("bin"));
    Path remuda = folder.resolve("remuda");
    if (!Files.exists(remuda)) {
      String words =
          installation.command(List.of()).stream()
              .map(ServiceUnderTest::quoted)
              .collect(Collectors.joining(" "));
      Files.writeString(remuda, "#!/bin/sh\nexec " + words + " \"$@\"\n");
      Files.setPosixFilePermissions(remuda, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return folder;
  }

  final Result result(ProcessBuilder builder, Duration limit) throws IOException {
    Path out = Files.createTempFile(home.getParent(), "cli", ".out");
    Path err = Files.createTempFile(home.getParent(), "cli", ".err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            builder.command() + " did not end: " + Files.readString(err) + "; " + describe());
      }
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Asks the server as its owner; one connection is kept, but not to any member of a cluster. */
  public synchronized RestClient client() throws IOException {
    Path file = home.resolve(ServerAccessFile.FILE);
    String access = Files.exists(file) ? Files.readString(file) : null;
    if (client == null || !Objects.equals(access, clientAccess)) {
      client = RestClient.of(home);
      clientAccess = client.access().others() == null ? access : "";
    }
    return client;
  }

  /** A job of a shell line, with these fields besides. */
  public Map<String, Object> job(String line, Object... fields) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("argv", List.of("/bin/sh", "-c", line));
    job.put("env", Map.of("PATH", System.getenv("PATH"), MARK, mark));
    job.put("workdir", home.getParent().toString());
    for (int i = 0; i < fields.length; i += 2) {
      job.put((String) fields[i], fields[i + 1]);
    }
    return job;
  }

  /** Submits such a job as a command does, with a key by which it may be sent again. */
  public long submit(String line, Object... fields) throws IOException {
    Map<String, Object> job = job(line, fields);
    job.putIfAbsent("clientKey", UUID.randomUUID().toString());
    return client().post("/jobs", job).path("ids").path(0).asLong();
  }

  /** Waits until a job is over. */
  public JsonNode awaitEnd(long job) {
    return awaitJob("the end of job " + job, job, FinalStates::include);
  }

  /** Waits until a job is in a state. */
  public JsonNode awaitState(long job, String state) {
    return awaitJob("job " + job + " " + state, job, state::equals);
  }

  private JsonNode awaitJob(String what, long job, Predicate<String> isThere) {
    JsonNode[] last = new JsonNode[1];
    await(
        what,
        Duration.ofSeconds(120),
        () -> {
          last[0] = client().get("/jobs/" + job);
          return isThere.test(last[0].path("state").asText());
        });
    return last[0];
  }

  /** Cancels all jobs, kills their tasks, and waits until nothing is live. */
  public void cancelAll() throws IOException {
    for (JsonNode live : client().get("/jobs").path("jobs")) {
      try {
        client().post("/jobs/" + live.path("id").asLong() + "/cancel?now=true", null);
      } catch (RestFailureException over) {
        assertTrue(over.getMessage().contains("is over"), over::getMessage); // ended meanwhile
      }
    }
    await("nothing live", START, () -> client().get("/jobs").path("jobs").isEmpty());
  }

  /** All that a task has printed. */
  public String log(long job, int task, String stream) throws IOException {
    return new String(
        client()
            .bytes("/jobs/" + job + "/logs?task=" + task + "&stream=" + stream + "&offset=0")
            .bytes(),
        StandardCharsets.UTF_8);
  }

  /** Waits for a condition; while the server is away it does not hold. */
  public void await(String what, Duration limit, Callable<Boolean> condition) {
    try {
      SparingLooks.within(limit).ignoreExceptionsInstanceOf(IOException.class).until(condition);
    } catch (ConditionTimeoutException late) {
      throw new AssertionError("no " + what + " within " + limit + "; " + describe(), late);
    }
  }

  /** What is there, for a test that fails. */
  public String describe() {
    StringBuilder text = new StringBuilder("processes: " + members());
    try {
      text.append("\njobs: ").append(client().get("/jobs?all&limit=5"));
      text.append("\nnodes: ").append(client().get("/nodes"));
    } catch (IOException none) {
      text.append("\n").append(none.getMessage());
    }
    for (Path log : logs()) {
      text.append("\n").append(log.getFileName()).append(": ").append(end(log));
    }
    return text.toString();
  }

  private List<Path> logs() {
    try (Stream<Path> beside = Files.list(home.getParent())) {
      return beside.filter(file -> file.toString().endsWith(".out")).sorted().toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  private static String end(Path log) {
    try {
      String text = Files.readString(log);
      return text.substring(Math.max(0, text.length() - LOG_END));
    } catch (IOException gone) {
      return gone.toString();
    }
  }

  public List<Member> members() {
    return Member.withEntry(MARK + "=" + mark);
  }

  /** The only keeper. */
  public Member keeper() {
    return members().stream()
        .filter(member -> member.role() == Member.Role.KEEPER)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no keeper; " + describe()));
  }

  /** Returns whether none was left. */
  private boolean killAll() {
    List<Member> left = members();
    left.forEach(member -> member.signal("KILL"));
    return left.isEmpty();
  }

  @Override
  public void close() {
    try {
      SparingLooks.within(KILLED).until(this::killAll);
    } catch (ConditionTimeoutException stuck) {
      System.err.println("still there: " + members()); // such as one that waits for a dead disk
    }
    try {
      Files.deleteIfExists(home.resolve("state.db-shm"));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
