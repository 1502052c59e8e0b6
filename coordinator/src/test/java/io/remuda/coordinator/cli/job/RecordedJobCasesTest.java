package io.remuda.coordinator.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.cli.jobfile.BadJobFileException;
import io.remuda.coordinator.cli.jobfile.JobFileReader;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.words.FieldToOptionNames;
import io.remuda.coordinator.rest.request.ChangeFields;
import io.remuda.coordinator.rest.request.JobRequest;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * What becomes of the fields of a job, by the way that they come: each line of {@code job-cases}
 * that begins with {@code >} is what somebody writes, the one below it the job, as far as it
 * differs from one without fields, or the error behind an exclamation mark.
 */
class RecordedJobCasesTest {
  private static final Path CASES = Path.of("src", "test", "resources", "job-cases");
  private static final Path NOW = Path.of("target", "job-cases");
  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonMapper SORTED =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");
  private static final SubmittingShellEnvironment SHELL =
      new SubmittingShellEnvironment(Map.of("HOME", "/home/me"), "0027");

  private static final Map<String, String> BASES =
      Map.of(
          "plain",
          "{'argv':['x'],'workdir':'/w','env':{'A':'b'}}",
          "gpus",
          "{'argv':['x'],'gpus':2,'gpuMem':'4g','gpuModel':'A100','perGpu':3,'timeLimit':'1h',"
              + "'signal':'USR1@5m','grace':'1m','preemptible':true,'retries':2,'count':3}",
          "roles",
          "{'argv':['x'],'gang':{'roles':{'a':{'gpus':1},'b':{'count':2,'mem':'2g'}}}}",
          "training",
          "{'argv':['x'],'epochs':20,'snapshots':'/s','gpus':1}",
          "sweep",
          "{'argv':['x','{lr}'],'params':{'lr':'1..3'},'maxRunning':1}");

  @TempDir private Path folder;

  /** Returns what becomes of an input. */
  private interface Way {
    String of(String input) throws Exception;
  }

  private static void compare(String file, Way way) throws Exception {
    Path path = CASES.resolve(file + ".txt");
    List<String> lines = Files.readAllLines(path);
    List<String> now = new ArrayList<>();
    for (String line : lines) {
      if (!line.startsWith("= ")) {
        now.add(line);
      }
      if (line.startsWith("> ")) {
        now.add("= " + oneLine(answer(line.substring(2), way)));
      }
    }
    compare(path, String.join("\n", now) + "\n");
  }

  private static void compare(Path path, String now) throws IOException {
    Path written = Files.createDirectories(NOW).resolve(path.getFileName());
    Files.writeString(written, now);
    assertEquals(
        Files.readString(path),
        now,
        () ->
            "if this is meant, regenerate by: cp coordinator/target/job-cases/* coordinator/"
                + CASES);
  }

  private static String answer(String input, Way way) throws Exception {
    try {
      return way.of(input);
    } catch (IllegalArgumentException | ParameterException refused) {
      return "! " + refused.getMessage();
    }
  }

  private static String oneLine(String text) {
    return text.replace("\n", "\\n");
  }

  private static byte[] bytes(String json) {
    return json.getBytes(UTF_8);
  }

  private static JobSpec spec(String json) {
    return numbered(new SubmissionReader(false).read(bytes(json), "ann")).get(0);
  }

  private static List<JobSpec> numbered(List<NewJob> jobs) {
    List<JobId> ids = IntStream.range(0, jobs.size()).mapToObj(i -> new JobId(7 + i)).toList();
    return IntStream.range(0, jobs.size())
        .mapToObj(i -> jobs.get(i).numbered(ids.get(i), ids))
        .toList();
  }

  /** Returns the stored form of a job without what is chosen anew for each. */
  private static String stored(JobSpec job) {
    return JobSpecCodec.write(job).body().replace(job.uuid().toString(), "UUID");
  }

  private static Map<String, String> leaves(JobSpec job) throws IOException {
    Map<String, String> leaves = new TreeMap<>();
    flatten("", JSON.readTree(stored(job)).path("job"), leaves);
    flatten("tasks", JSON.getNodeFactory().numberNode(job.tasks().size()), leaves);
    if (job.tasks().get(0) instanceof CommandWorkload command) {
      flatten("env", JSON.valueToTree(new TreeMap<>(command.environment())), leaves);
    }
    return leaves;
  }

  private static void flatten(String at, JsonNode node, Map<String, String> leaves) {
    boolean words =
        node.isArray() && IntStream.range(0, node.size()).allMatch(i -> node.get(i).isValueNode());
    if (node.isObject() && !node.isEmpty()) {
      node.properties().forEach(one -> flatten(at + "." + one.getKey(), one.getValue(), leaves));
    } else if (node.isArray() && !words) {
      for (int i = 0; i < node.size(); i++) {
        flatten(at + "[" + i + "]", node.get(i), leaves);
      }
    } else {
      String value = node.toString();
      leaves.put(at, value.length() <= 300 ? value : value.substring(0, 300) + "...");
    }
  }

  /** Returns in what a job differs from another. */
  private static String difference(JobSpec job, JobSpec other) throws IOException {
    Map<String, String> here = leaves(job);
    Map<String, String> there = leaves(other);
    List<String> words = new ArrayList<>();
    here.forEach(
        (name, value) -> {
          if (!value.equals(there.remove(name))) {
            words.add(name.replaceFirst("^\\.", "") + "=" + value);
          }
        });
    there.keySet().stream()
        .filter(name -> !here.containsKey(name))
        .forEach(name -> words.add("-" + name));
    return words.isEmpty() ? "the same" : String.join(" ", words);
  }

  private static String submitted(String body) throws IOException {
    List<NewJob> jobs = new SubmissionReader(false).read(bytes(body), "ann");
    List<JobSpec> specs = numbered(jobs);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      all.add(
          difference(specs.get(i), spec("{\"argv\":[\"x\"]}"))
              + (job.hold() ? " hold" : "")
              + (job.clientKey() == null ? "" : " key=" + job.clientKey())
              + (job.siblings().isEmpty() ? "" : " " + job.siblings())
              + (job.named().isEmpty() ? "" : " " + job.named()));
    }
    return String.join(" | ", all);
  }

  @Test
  void a_request_in_JSON() throws Exception {
    compare("json", RecordedJobCasesTest::submitted);
  }

  @Test
  void a_job_file() throws Exception {
    compare(
        "yaml",
        input -> {
          Path file = Files.writeString(folder.resolve("f"), input.replace("\\n", "\n"));
          try {
            Map<String, Object> read = JobFileReader.read(file, new OwnProcess(), SHELL);
            return SORTED.writeValueAsString(read).replace(folder.toString(), "FOLDER");
          } catch (BadJobFileException bad) {
            return "! " + String.join("\n", bad.faults()).replace(folder.toString() + "/", "");
          }
        });
  }

  private static String[] words(String line) {
    return WORD.matcher(line)
        .results()
        .map(word -> word.group(1) == null ? word.group() : word.group(1))
        .toArray(String[]::new);
  }

  /** Returns the fields of a command line, and the server's error about them. */
  private static String typed(String line) throws IOException {
    CommandLine command = new CommandLine(new SubmitCommand());
    command.parseArgs(words(line));
    JobOptions options = (JobOptions) command.getCommandSpec().mixins().get("job").userObject();
    Map<String, Object> request = new TreeMap<>(options.request());
    String refused = "";
    Map<String, Object> sent = new TreeMap<>(request);
    sent.keySet().remove("freeze");
    try {
      JobRequest.of(sent).toNewJob("ann", List.of());
    } catch (IllegalArgumentException wrong) {
      refused = " ! " + FieldToOptionNames.in(wrong.getMessage(), command.getCommandSpec());
    }
    request.keySet().removeAll(List.of("umask", "project"));
    request.put("env", options.env());
    return (SORTED.writeValueAsString(request) + refused)
        .replace(options.caller().folder(), "HERE");
  }

  @Test
  void the_options_of_submit() throws Exception {
    compare("options", RecordedJobCasesTest::typed);
  }

  @Test
  void the_options_of_set() throws Exception {
    try (FakeServer server = new FakeServer()) {
      server.answers("/jobs/1/set", "{\"id\":1,\"ending\":0}");
      compare(
          "set-options",
          line -> {
            SetCommand command = new SetCommand();
            new CommandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .parseArgs(words("1 " + line));
            command.ask(server.client());
            return server.bodies().get(server.bodies().size() - 1);
          });
    }
  }

  @Test
  void other_terms_in_JSON() throws Exception {
    compare(
        "set",
        input -> {
          String base = input.substring(0, input.indexOf(' '));
          JobSpec job = spec(BASES.get(base).replace('\'', '"'));
          String body = input.substring(input.indexOf(' ') + 1);
          return difference(ChangeFields.read(bytes(body), "ann").applied(job), job);
        });
  }

  @Test
  void a_stored_job_stays_readable_and_keeps_its_form() throws Exception {
    compare("stored", body -> stored(spec(body)));
    for (String line : Files.readAllLines(CASES.resolve("stored.txt"))) {
      if (line.startsWith("= ")) {
        String body = line.substring(2).replace("UUID", "00000000-0000-0000-0000-000000000001");
        JobSpec read = JobSpecCodec.parse(body).job();
        assertEquals(JSON.readTree(body).path("job"), JSON.readTree(RowMapping.json(read)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"submit", "run", "set", "resubmit"})
  void the_help_of_a_command_with_options_of_a_job(String name) throws Exception {
    CommandLine command = RootCommand.line().getSubcommands().get(name);
    Path path = CASES.resolve("help-" + name + ".txt");
    compare(path, command.getUsageMessage());
  }
}
