package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.PrintableWriter;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.waiting.WaitProgress;
import io.remuda.coordinator.cli.waiting.WaitedJobs;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Waits until jobs have ended. */
@Command(
    name = "wait",
    description =
        "Waits until jobs, or tasks, have ended; exits with 0 only if all of them succeeded. On a"
            + " terminal it prints a line for each, elsewhere only for those that failed; with --json"
            + " a list of them all as they are at the end, as state --json has it. With --name it"
            + " counts all your jobs of that name, also those that have ended before or that are submitted"
            + " meanwhile: --since 2h leaves out older ones.",
    exitCodeList = {
      "0:all succeeded",
      "1:one has failed, or refused by the server",
      "2:bad usage",
      "3:no server answers",
      "124:the time of --timeout has passed, as with timeout(1)"
    })
public final class WaitCommand extends ServerCommandBase {

  private static final int TIMED_OUT = 124;
  private static final int NONE = 404;
  private static final long FIRST_PAUSE = 20;
  private static final long LONGEST_PAUSE = 500;

  /** Time for a first look, even if hardly any is left. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  @Parameters(arity = "0..*", paramLabel = "JOB", description = JobFinder.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Mixin private JobFilters filters;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "give up after this time, as 30s, 10m or 2h, with exit code 124")
  private Duration timeout;

  @Option(
      names = "--progress",
      description =
          "show how many tasks have ended, the rate, and how long the rest takes at this rate: a"
              + " bar on a terminal, lines elsewhere")
  private boolean progress;

  /** Reads a time. */
  static final class TimeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return SizeAndTimeParser.time(text);
      } catch (IllegalArgumentException wrong) {
        throw new TypeConversionException(wrong.getMessage());
      }
    }
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    long begin = millis();
    if (timeout == null) {
      return await(server, begin, RequestEnd.NONE);
    }
    RequestEnd end = RequestEnd.in(timeout.compareTo(LEAST) < 0 ? LEAST : timeout);
    return await(server.until(end), begin, end);
  }

  private int await(RestClient server, long begin, RequestEnd end)
      throws IOException, InterruptedException {
    WaitedJobs jobs = new WaitedJobs(chosen(server), progress, json);
    boolean lines = !json && TerminalStream.isTerminal(caller(), TerminalStream.OUT);
    boolean drawn = TerminalStream.isTerminal(caller(), TerminalStream.ERR);
    PrintWriter place = drawn ? PrintableWriter.drawing(caller()) : err();
    WaitProgress bar =
        new WaitProgress(drawn ? WaitProgress.Place.TERMINAL : WaitProgress.Place.LINES, millis());
    boolean allGood = true;
    long pause = FIRST_PAUSE;
    RetryWhileAway retryWhileAway = new RetryWhileAway(err(), end);
    while (!jobs.areOver() || (meansNames() && jobs.add(named(server, retryWhileAway)))) {
      Map<ChosenJob, JsonNode> over;
      try {
        over = jobs.look(path -> retryWhileAway.ask(() -> server.get(path)));
        over = lines && !quiet ? jobs.timed(over, server::get) : over;
      } catch (IOException away) {
        if (end.isOver() && retryWhileAway.hasAnswered() && ReturningServer.isAway(away)) {
          printEnds(jobs);
          return timedOut(jobs);
        }
        throw away;
      }
      if (progress && !over.isEmpty()) {
        place.print(bar.cleared());
        place.flush();
      }
      for (Map.Entry<ChosenJob, JsonNode> one : over.entrySet()) {
        allGood &= say(one.getKey(), one.getValue(), lines);
      }
      if (progress && !quiet) {
        err().flush();
        bar.next(jobs.sums(), jobs.areOver(), millis()).ifPresent(place::print);
      }
      place.flush();
      long left = timeout == null ? Long.MAX_VALUE : begin + timeout.toMillis() - millis();
      if (!jobs.areOver() && left <= 0) {
        printEnds(jobs);
        return timedOut(jobs);
      } else if (!jobs.areOver()) {
        Thread.sleep(Math.min(left, pause));
        pause = Math.min(LONGEST_PAUSE, pause * 2);
      }
    }
    printEnds(jobs);
    return allGood ? OK : FAILURE;
  }

  private void printEnds(WaitedJobs jobs) throws IOException {
    if (json) {
      printJson(jobs.all());
    }
  }

  private static long millis() {
    return System.nanoTime() / 1_000_000;
  }

  private int timedOut(WaitedJobs jobs) {
    if (!quiet) {
      err().println("remuda: the time has passed before the end of " + jobs.unfinished());
      err().flush();
    }
    return TIMED_OUT;
  }

  /** Says how one has ended; returns whether it succeeded. */
  private boolean say(ChosenJob one, JsonNode end, boolean lines) {
    boolean good = end.path("state").asText().equals("succeeded");
    String reason = text(end, "reason");
    String line =
        one.words(end)
            + " "
            + end.path("state").asText()
            + (reason == null ? "" : ": " + PrintableText.of(reason));
    if (!quiet && !good) {
      err().println(line);
    } else if (!quiet && lines) {
      JsonNode measured = end.path(one.task() == null ? "ranMillis" : "wallMillis");
      String ran =
          ElapsedTime.ran(text(end, "startedAt"), text(end, "endedAt"), measured, Instant.now());
      out().println(line + (ran.isEmpty() ? "" : " after " + ran));
      out().flush();
    }
    return good;
  }

  private boolean meansNames() {
    return selectors.isEmpty() && filters.meanNames();
  }

  /** Returns the jobs of the names as they are now: some may have been submitted meanwhile. */
  private List<ChosenJob> named(RestClient server, RetryWhileAway retryWhileAway)
      throws IOException, InterruptedException {
    return retryWhileAway.ask(() -> JobFinder.ended(server, filters)).jobs();
  }

  private List<ChosenJob> chosen(RestClient server) throws IOException {
    if (selectors.isEmpty() && filters.areNone()) {
      throw new ParameterException(spec.commandLine(), JobFinder.NONE_NAMED);
    }
    boolean named = meansNames();
    List<ChosenJob> jobs =
        (named
                ? JobFinder.ended(server, filters)
                : JobFinder.of(server, selectors, filters, JobFinder.Purpose.LOOK))
            .told(err());
    if (named && jobs.isEmpty()) {
      throw new RestFailureException(
          NONE, "no job of yours has this name: remuda state --all has them");
    } else if (jobs.isEmpty() && !quiet) {
      err().println("remuda: nothing to wait for: no unfinished job is meant");
      err().flush();
    }
    return jobs;
  }
}
