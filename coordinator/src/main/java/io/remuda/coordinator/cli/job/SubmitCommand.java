package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.aichor.ManifestSubmission;
import io.remuda.coordinator.cli.jobfile.BadJobFileException;
import io.remuda.coordinator.cli.jobfile.JobFileFaults;
import io.remuda.coordinator.cli.jobfile.JobFileReader;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.cli.script.CommandWordsConsumer;
import io.remuda.coordinator.cli.script.ProgramCheck;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.words.DryRunLines;
import io.remuda.coordinator.cli.words.SubmissionLines;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Submits a job and prints its number. */
@Command(
    name = "submit",
    description = {
      "Submits a job, or the jobs of a file, and prints their numbers at once. Without a command it"
          + " reads a script from stdin.",
      JobOptions.VARIABLES
    })
public final class SubmitCommand extends ServerCommandBase {

  private static final Set<String> OF_SUBMITTING =
      Set.of("--file", "--dry-run", "--json", "--quiet", "--wait");

  /** Options of a job that may stand beside a manifest. */
  private static final Set<String> OF_MANIFESTS =
      Set.of(
          "--name",
          "--priority",
          "--after",
          "--after-one-of",
          "--hold",
          "--key",
          "--label",
          "--policy",
          "--grace",
          "--engine",
          "--container",
          "--mount",
          "--port",
          "--pull");

  @Mixin private JobOptions job;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "a YAML or JSON file with one job or several, or - for stdin: remuda help job-file")
  private Path file;

  @Option(
      names = "--dry-run",
      description =
          "only check whether it would be accepted, and print how many jobs and tasks there would be,"
              + " with the first commands")
  private boolean dryRun;

  @Option(
      names = "--wait",
      description =
          "print the output, each line behind its task or rank, and the states of the tasks, until"
              + " all jobs have ended; exit with 0 only if they succeeded, with the exit code of a single"
              + " job that failed")
  private boolean wait;

  private Map<String, Object> request;
  private Optional<ManifestSubmission> manifest = Optional.empty();

  /** Checks a job file before it looks for a server. */
  @Override
  public Integer call() throws Exception {
    try {
      request = request();
    } catch (BadJobFileException bad) {
      bad.faults().forEach(fault -> err().println(PrintableText.of(fault)));
      return USAGE;
    }
    return super.call();
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    prepareManifest();
    request = JobOptions.frozen(request, !dryRun, spec.commandLine());
    checkProgram(server);
    JsonNode answer =
        server.post(dryRun ? "/jobs?dryRun" : "/jobs", IdempotencyKeyAssigner.added(request));
    if (json) {
      printJson(answer);
    } else if (dryRun && !quiet) {
      DryRunLines.of(answer.path("planned")).forEach(out()::println);
    } else if (!dryRun) {
      print(server, ids(answer).stream().map(Long::valueOf).toList());
    }
    out().flush();
    return (wait || job.waits()) && !dryRun ? shown(server).exitCode(ids(answer)) : OK;
  }

  /** Prints the numbers, for somebody at a terminal with names and what to type next. */
  private void print(RestClient server, List<Long> ids) throws IOException {
    boolean terminal = TerminalStream.isTerminal(caller(), TerminalStream.OUT);
    if (quiet || !terminal) {
      ids.forEach(id -> out().println(id));
      return;
    }
    SubmissionLines.of(server, ids).forEach(out()::println);
    out().flush();
    if (!(wait || job.waits())) {
      err().println(SubmissionLines.hint(ids));
      err().flush();
    }
  }

  /** Refuses a job that cannot start because of what is missing on this machine. */
  private void checkProgram(RestClient server) throws IOException {
    Optional<ProgramCheck> missing = ProgramCheck.of(request, server, caller());
    if (missing.isEmpty() || missing.get().where() == ProgramCheck.Where.ELSEWHERE) {
      return;
    }
    if (missing.get().where() == ProgramCheck.Where.HERE) {
      throw new ParameterException(spec.commandLine(), missing.get().fault());
    }
    err()
        .println(
            "remuda: warning: only nodes on other machines can start it: "
                + PrintableText.of(missing.get().fault()));
    err().flush();
  }

  /** What is wrong with a file is told by the names of its fields. */
  @Override
  protected String inWords(RestFailureException no) {
    return file != null || isFile() ? no.getMessage() : super.inWords(no);
  }

  private SubmittedJobsFollower shown(RestClient server) {
    return new SubmittedJobsFollower(
        new ReturningServer(server, this::server),
        caller().out(),
        caller().err(),
        err(),
        quiet ? SubmittedJobsFollower.States.HIDDEN : SubmittedJobsFollower.States.SHOWN);
  }

  private static List<String> ids(JsonNode answer) {
    List<String> ids = new ArrayList<>();
    answer.path("ids").forEach(id -> ids.add(id.asText()));
    return ids;
  }

  private Map<String, Object> request() throws BadJobFileException {
    if (file != null || isFile()) {
      return ofFile(file != null ? JobFileReader.named(file) : Path.of(job.command.get(0)));
    }
    if (!job.command.isEmpty()) {
      JobScriptOptionsReader.read(
          job, spec.commandLine(), err(), JobScriptOptionsReader.Output.IN_FILE);
    } else if (mayHaveScriptOnStdin()) {
      JobScriptOptionsReader.readFrom(caller().in(), job, spec.commandLine(), err());
    } else {
      throw new ParameterException(spec.commandLine(), JobScriptOptionsReader.NO_COMMAND);
    }
    Map<String, Object> fields = job.request();
    job.noteNames(err());
    return fields;
  }

  private boolean mayHaveScriptOnStdin() {
    return !job.isLine()
        && !job.streams.isInputOwn()
        && !TerminalStream.isTerminal(caller(), TerminalStream.IN);
  }

  private Map<String, Object> ofFile(Path path) throws BadJobFileException {
    checkAlone(OF_MANIFESTS);
    JobFileFaults faults = new JobFileFaults(path);
    Optional<Node> document = JobFileReader.document(path, caller(), faults);
    SubmittingShellEnvironment shell = SubmittingShellEnvironment.of(caller());
    manifest = ManifestSubmission.of(path, document, caller(), shell, containers(), faults);
    if (manifest.isEmpty()) {
      checkAlone(Set.of());
      return JobFileReader.read(path, document, caller(), shell, faults);
    }
    Map<String, Object> whole = new LinkedHashMap<>(manifest.get().request());
    if (job.given.get(ContainerRows.CONTAINER) == null) {
      job.given.set(ContainerRows.CONTAINER, (String) whole.get("container"));
    }
    Map<String, Object> given = job.request();
    given.keySet().removeAll(List.of("argv", "env", "workdir", "project", "umask"));
    whole.putAll(given);
    if (whole.containsKey("container")) {
      whole.put("containerEnv", manifest.get().variables());
    }
    return whole;
  }

  /** Returns whether and how the members of a manifest run in containers of its own image. */
  private ManifestSubmission.Containers containers() {
    String engine = job.given.get(ContainerRows.ENGINE);
    Map<String, Object> given = job.given.values();
    boolean any = Stream.of("engine", "mounts", "ports", "pull").anyMatch(given::containsKey);
    return any && !given.containsKey("container")
        ? new ManifestSubmission.Containers(true, engine)
        : ManifestSubmission.Containers.NONE;
  }

  /**
   * Warns of what a manifest says that has no meaning here, builds its image, and makes its
   * folders.
   */
  private void prepareManifest() throws IOException, InterruptedException {
    if (manifest.isEmpty() || dryRun) {
      return;
    }
    if (!quiet && !manifest.get().unused().isEmpty()) {
      err().println("remuda: not used here: " + String.join(", ", manifest.get().unused()));
      err().flush();
    }
    manifest.get().prepare(caller());
  }

  /** Refuses options of a job beside a job file, since they would be ignored. */
  private void checkAlone(Set<String> allowed) {
    List<String> others =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(name -> !OF_SUBMITTING.contains(name) && !allowed.contains(name))
            .collect(Collectors.toCollection(ArrayList::new));
    if (file != null) {
      others.addAll(job.command);
    }
    if (!others.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "a job file cannot be combined with options of a job, got '" + others.get(0) + "'");
    }
  }

  /** Returns whether the only argument names a job file; after {@code --} it is a program. */
  private boolean isFile() {
    boolean program = spec.commandLine().getParseResult().originalArgs().contains("--");
    return !program
        && job.command.size() == 1
        && job.command.get(0).matches(CommandWordsConsumer.JOB_FILE);
  }
}
