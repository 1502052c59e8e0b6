package io.remuda.coordinator.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Submits a job and prints its number. */
@Command(
    name = "submit",
    description = "Submits a job, or the jobs of a file, and prints the numbers at once.")
final class SubmitCommand extends Verb {

  @Mixin private JobOptions job;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "a YAML or JSON file with one job or several")
  private Path file;

  @Option(names = "--dry-run", description = "say whether it would be accepted, and do nothing")
  private boolean dryRun;

  @Override
  int ask(RestClient server) throws IOException {
    Object request = request();
    JsonNode answer = server.post(dryRun ? "/jobs?dryRun" : "/jobs", request);
    if (json) {
      printJson(answer);
    } else if (dryRun) {
      out().println("it would be accepted");
    } else {
      answer.path("ids").forEach(id -> out().println(id.asText()));
    }
    out().flush();
    return OK;
  }

  private Object request() throws IOException {
    boolean named = file != null || isFile();
    if (!named) {
      if (job.command.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "give a command after --, or a file with jobs");
      }
      return job.request();
    }
    Path path = file != null ? file : Path.of(job.command.get(0));
    try {
      return JobFile.read(path);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage());
    }
  }

  /** {@code remuda submit job.yaml}; a program of that name is run by {@code -- ./job.yaml}. */
  private boolean isFile() {
    return job.command.size() == 1 && job.command.get(0).matches(".+\\.(ya?ml|json)");
  }
}
