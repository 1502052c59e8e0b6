package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.cli.list.ColumnOptions;
import io.remuda.coordinator.cli.list.JobTable;
import io.remuda.coordinator.cli.list.JobTree;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobDetailSelection;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.JobPages;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.render.BarStyle;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists jobs, newest last. */
@Command(
    name = "state",
    aliases = {"list", "ls", "queue", "ps", "status"},
    description =
        "Lists the jobs that have not ended, all jobs, or those that are named, the newest last:"
            + " how far each is, where it runs, why it waits, and when it may start.")
public final class StateCommand extends ServerCommandBase {

  private static final int SHOWN = 200;

  @Parameters(arity = "0..*", paramLabel = "JOB", description = JobFinder.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Option(
      names = {"-a", "--all"},
      description = "also jobs that have ended; --since and --state mean them, too")
  private boolean all;

  @Option(
      names = "--tree",
      description =
          "each job that starts after others indented below the first of these; with --json with"
              + " what it asked for, after among it")
  private boolean tree;

  @Mixin private JobFilters filters;

  @Mixin private ColumnOptions columns;

  @Override
  protected int ask(RestClient server) throws IOException {
    JobPages pages = selectors.isEmpty() ? list(server) : named(server);
    ArrayNode jobs = pages.oldestFirst();
    if (json) {
      printJson(jobs);
    } else if (quiet) {
      jobs.forEach(job -> out().println(job.path("id").asText()));
      out().flush();
    } else if (jobs.isEmpty()) {
      out().println(none(server));
      out().flush();
    } else {
      show(jobs, pages.more());
    }
    return OK;
  }

  private JobPages list(RestClient server) throws IOException {
    if (!filters.beforeStart().isEmpty()) {
      JobFilters wider = filters.ofAllUnfinished();
      return inState(JobFinder.list(server, wider, false, details(), Integer.MAX_VALUE));
    }
    int most = json ? Integer.MAX_VALUE : SHOWN;
    return JobFinder.list(
        server,
        filters,
        all || filters.meanEnded(),
        details(),
        filters.most() == null ? most : filters.most());
  }

  private JobPages named(RestClient server) throws IOException {
    boolean before = !filters.beforeStart().isEmpty();
    JobFilters asked = before ? filters.ofAllUnfinished() : filters;
    List<ChosenJob> chosen = JobFinder.toLookAt(server, selectors, asked, details()).told(err());
    ArrayNode jobs = RestClient.JSON.createArrayNode();
    chosen.forEach(job -> jobs.add(job.job()));
    JobPages pages = new JobPages(jobs, false);
    return before ? inState(pages) : pages;
  }

  /** Keeps jobs of which tasks are in the states that are meant, even if others run. */
  private JobPages inState(JobPages unfinished) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode job : unfinished.oldestFirst()) {
      if (isMeant(job)) {
        found.add(job);
      }
    }
    int most = filters.most() == null ? found.size() : Math.min(filters.most(), found.size());
    ArrayNode newest = RestClient.JSON.createArrayNode();
    newest.addAll(found.subList(found.size() - most, found.size()));
    return new JobPages(newest, unfinished.more());
  }

  private boolean isMeant(JsonNode job) {
    Set<String> meant =
        filters.beforeStart().stream().map(TaskState::label).collect(Collectors.toSet());
    return meant.contains(job.path("state").asText())
        || !job.path("task").isNumber()
            && new ChosenJob(job.path("id").asLong(), null, job).count(meant) > 0;
  }

  private JobDetailSelection details() {
    if (quiet && filters.beforeStart().isEmpty()) {
      return JobDetailSelection.NONE;
    }
    return new JobDetailSelection(true, tree || columns.needTerms(), columns.needPeak());
  }

  private String none(RestClient server) throws IOException {
    if (!filters.areNone()) {
      return "no job passes the filters";
    } else if (!selectors.isEmpty()) {
      return "no jobs";
    }
    boolean ever = !all && !server.get("/jobs?limit=1&all").path("jobs").isEmpty();
    return ever ? "all jobs have ended (see --all)" : "no jobs yet";
  }

  private JobTree tree(ArrayNode jobs, boolean terminal) {
    boolean lines = terminal && BarStyle.of(caller().readEnvironment()).unicode();
    return new JobTree(jobs, lines ? JobTree.Style.LINES : JobTree.Style.BLANKS);
  }

  private void show(ArrayNode jobs, boolean more) {
    boolean terminal = TerminalStream.isTerminal(caller(), TerminalStream.OUT);
    ZonedDateTime now = ZonedDateTime.ofInstant(Instant.now(), ZoneId.systemDefault());
    JobTable table =
        tree
            ? new JobTable(jobs, tree(jobs, terminal), columns.columns(), now)
            : new JobTable(jobs, columns.columns(), now);
    List<String> lines =
        terminal
            ? table.lines(TerminalStream.of(caller(), TerminalStream.OUT).size().columns())
            : table.lines();
    lines.forEach(out()::println);
    if (more && filters.most() == null) {
      out().println("these are the newest " + jobs.size() + "; -n N lists more, --json all");
    }
    out().flush();
  }
}
