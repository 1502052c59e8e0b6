package io.remuda.coordinator.cli.command;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.doctor.Doctor;
import io.remuda.coordinator.doctor.DoctorFinding;
import io.remuda.json.PlainJson;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks this machine; the exit code is that of the worst finding. */
@Command(
    name = "doctor",
    description =
        "Checks this machine: Java, memory, folders, GPUs, libtorch, data, ports, Slurm."
            + " Exit code 0 if all is good, 3 with warnings, 1 if something is broken.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

  @Option(names = "--json", description = "print the findings as one JSON array")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Caller caller = Caller.of(spec);
    PrintStream out = new PrintStream(caller.out(), true, StandardCharsets.UTF_8);
    List<DoctorFinding> findings = new ArrayList<>();
    new Doctor(caller.readEnvironment(), caller.paths())
        .look(
            finding -> {
              findings.add(finding);
              if (!json) {
                out.println(PrintableText.lines(line(finding)));
              }
            });
    if (json) {
      out.println(PrintableText.lines(PlainJson.MAPPER.writeValueAsString(findings)));
    }
    return Doctor.worst(findings).exitCode();
  }

  private static String line(DoctorFinding finding) {
    String verdict = finding.verdict().name().toLowerCase(Locale.ROOT);
    String text =
        String.format(Locale.ROOT, "%-8s %-16s %s", verdict, finding.subject(), finding.found());
    return finding.todo().isEmpty() ? text : text + "\n" + " ".repeat(26) + "-> " + finding.todo();
  }
}
