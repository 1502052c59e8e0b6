package io.remuda.coordinator.cli.aichor;

import io.remuda.coordinator.cli.jobfile.JobFileHelp;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a JSON schema, by which editors check files. */
@Command(
    name = "schema",
    description =
        "Prints the JSON schema of a kind of file, for editors: job, files for remuda submit -f, or"
            + " aichor, AIchor's manifests.",
    mixinStandardHelpOptions = true)
public final class SchemaCommand implements Callable<Integer> {

  /** The schema of manifests, beside this class's package. */
  static final String AICHOR = "/aichor-manifest.schema.json";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "KIND", description = "job or aichor")
  private String kind;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        switch (kind) {
          case "job" -> JobFileHelp.schema();
          case "aichor" -> aichor();
          default ->
              throw new ParameterException(
                  spec.commandLine(), "there are schemas of job and aichor, got '" + kind + "'");
        });
    out.flush();
    return CommandLine.ExitCode.OK;
  }

  /** Returns the schema of manifests. */
  static String aichor() throws IOException {
    try (InputStream in = SchemaCommand.class.getResourceAsStream(AICHOR)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
