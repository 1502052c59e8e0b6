package io.remuda.coordinator.cli.aichor;

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
        "Prints the JSON schema of a kind of file, for editors: aichor, AIchor's manifests.",
    mixinStandardHelpOptions = true)
public final class SchemaCommand implements Callable<Integer> {

  /** The schema of manifests, beside this class's package. */
  static final String AICHOR = "/aichor-manifest.schema.json";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "KIND", description = "aichor")
  private String kind;

  @Override
  public Integer call() throws IOException {
    if (!kind.equals("aichor")) {
      throw new ParameterException(
          spec.commandLine(), "there is a schema of aichor, got '" + kind + "'");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(aichor());
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
