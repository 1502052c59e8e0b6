package io.remuda.coordinator.cli.report;

import io.remuda.coordinator.cli.option.PastTime;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.simulate.WhatIfOptions;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.report.ReportPage;
import io.remuda.coordinator.report.server.ServerReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Writes a report of jobs, or of all that was, as one HTML file. */
@Command(
    name = "report",
    description = {
      "Writes a report as one HTML file that needs no server and no network: of jobs their attempts,"
          + " waiting, use over time, what they asked for and used, energy, and failures with their"
          + " last lines; with --since of all that the server did, and with --order, --policy or"
          + " --add-node also of what would have been.",
      "A report has 8 MiB at most; what has no room is named at its end."
    })
public final class ReportCommand extends ServerCommandBase {

  private static final int TAIL = 8192;
  private static final int MOST_JOBS = 100;
  private static final int MOST_DAYS = 14;

  @Parameters(arity = "0..*", paramLabel = "JOB", description = "jobs: " + JobFinder.JOBS)
  private List<String> jobs = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "of all jobs since so long ago, as 6h or 7d (default: 7d without jobs)")
  private String since;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "the file to make; - for stdout")
  private String output;

  @Mixin private WhatIfOptions changed;

  @Option(names = "--force", description = "replace an existing file")
  private boolean force;

  @Override
  protected int ask(RestClient server) throws IOException {
    if (since != null && !jobs.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "give jobs or --since, not both");
    }
    if (!changed.areNone() && !jobs.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "what would have been (--order, --policy, --add-node) is told of a time: give --since"
              + " instead of jobs");
    }
    boolean stdout = output.equals("-");
    NewFile file =
        stdout
            ? null
            : NewFile.check(
                caller().absolute(Path.of(output)),
                force ? NewFile.Existing.REPLACE : NewFile.Existing.REFUSE);
    String html = page(server).html();
    if (stdout) {
      out().print(html);
      out().flush();
    } else {
      file.write(html);
      say("wrote " + output + " (" + Math.max(1, html.length() >> 10) + " KiB)");
    }
    return OK;
  }

  private ReportPage page(RestClient server) throws IOException {
    Clock clock = Clock.systemUTC();
    ServerReport reports =
        new ServerReport(
            server::get,
            (job, task, stream) -> tail(server, job, task, stream),
            clock,
            ZoneId.systemDefault());
    if (jobs.isEmpty()) {
      long now = clock.millis();
      long from = now - seconds() * 1000;
      return changed.areNone()
          ? reports.since(from / 1000)
          : reports.since(from / 1000, changed.compare(server, from, now, caller()));
    }
    List<Long> numbers =
        JobFinder.look(server, jobs).told(err()).stream().map(ChosenJob::id).distinct().toList();
    if (numbers.isEmpty() || numbers.size() > MOST_JOBS) {
      throw new ParameterException(
          spec.commandLine(),
          "a report covers 1 to "
              + MOST_JOBS
              + " jobs, got "
              + numbers.size()
              + "; or give --since");
    }
    return reports.ofJobs(numbers);
  }

  private long seconds() {
    return PastTime.since(since == null ? "7d" : since, MOST_DAYS, spec).toSeconds();
  }

  private static String tail(RestClient server, long job, int task, String stream)
      throws IOException {
    String path =
        "/jobs/" + job + "/logs?stream=" + stream + "&task=" + task + "&attempt=0&offset=";
    long size = server.bytes(path + "0&limit=1").size();
    if (size == 0) {
      return "";
    }
    byte[] bytes = server.bytes(path + Math.max(0, size - TAIL)).bytes();
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
