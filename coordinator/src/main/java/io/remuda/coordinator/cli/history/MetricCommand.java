package io.remuda.coordinator.cli.history;

import io.remuda.agent.commandline.Caller;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Reports a value of the task in which it runs. The launcher does the same without a JVM, and
 * leaves to this what it does not understand.
 */
@Command(
    name = "metric",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Reports a value of the task in which it is called: a line in the file $$REMUDA_METRICS.",
      "It is shown by remuda history JOB. Outside of a task it does nothing, with a warning."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:also if nothing could be reported", "2:bad usage"})
public final class MetricCommand implements Callable<Integer> {

  private static final String FILE = "REMUDA_METRICS";
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_./:@%+=#-]{0,63}";
  private static final Set<String> NOT_FINITE = Set.of("nan", "inf", "-inf", "+inf", "infinity");

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NAME", description = "such as loss or val/accuracy")
  private String name;

  @Parameters(index = "1", paramLabel = "VALUE", description = "a number")
  private String value;

  @Option(
      names = "--step",
      paramLabel = "N",
      description = "the program's own count, such as an epoch")
  private String step;

  @Override
  public Integer call() {
    if (!name.matches(NAME)) {
      throw new ParameterException(
          spec.commandLine(),
          "NAME has letters, digits and _ . / : @ % + = # -, 64 at most, got '" + name + "'");
    }
    if (!NOT_FINITE.contains(value.toLowerCase(Locale.ROOT))) {
      number("VALUE", value);
    }
    if (step != null) {
      number("--step", step);
    }
    report();
    return CommandLine.ExitCode.OK;
  }

  private void number(String what, String text) {
    try {
      Double.parseDouble(text);
    } catch (NumberFormatException none) {
      throw new ParameterException(
          spec.commandLine(), what + " must be a number, got '" + text + "'");
    }
  }

  /** A program that reports is worth more than what it reports: failures are said, no more. */
  private void report() {
    Caller caller = Caller.of(spec);
    PrintWriter err = spec.commandLine().getErr();
    String file = caller.environment().getOrDefault(FILE, "");
    if (file.isEmpty()) {
      err.println("remuda: this is not a task of Remuda, so what it reports is not kept");
    } else {
      String line = name + " " + value + (step == null ? "" : " " + step) + "\n";
      try {
        Files.writeString(
            Path.of(file),
            line,
            StandardCharsets.UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND);
      } catch (IOException fault) {
        err.println("remuda: not reported: " + PrintableText.of(fault.toString()));
      }
    }
    err.flush();
  }
}
