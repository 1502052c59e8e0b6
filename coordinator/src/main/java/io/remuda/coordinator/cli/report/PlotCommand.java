package io.remuda.coordinator.cli.report;

import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.drawing.request.DrawingRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Draws readings, attempts and what ran where as an SVG file. */
@Command(
    name = "plot",
    description = {
      "Draws the use of a GPU, a node, a job or the queue over time, the attempts of a job, what ran"
          + " on which GPU, or the memory of GPUs, as an SVG file for papers and pages.",
      "The times are those of this machine's time zone, or of --zone."
    })
public final class PlotCommand extends ServerCommandBase {

  private static final String STDOUT = "-";

  /** What may be drawn, as users name it. */
  enum Subject {
    gpu("name"),
    node("name"),
    queue(null),
    job("job"),
    attempts("job"),
    timeline(null),
    memory(null);

    /** The parameter that the name is, null for none. */
    private final String parameter;

    Subject(String parameter) {
      this.parameter = parameter;
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "WHAT",
      description = "gpu, node, queue, job, attempts (of a job), timeline (GPUs) or memory (now)")
  private Subject subject;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "the GPU as NODE:NUMBER or UUID, the node, or the job or task as 12 or 12.0")
  private String name;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "the file to make; - for stdout")
  private String output;

  @Option(names = "--force", description = "replace an existing file")
  private boolean force;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "so long ago, as 15m, 6h or 14d (default: 15m; of a job all of it)")
  private String since;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "only these, such as utilization or power; several with commas")
  private String metric;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      description = "colours of the timeline: job, user or type (default: user)")
  private String by;

  @Option(
      names = "--theme",
      paramLabel = "THEME",
      defaultValue = "auto",
      description = "light, as for papers, dark, or auto, which is the reader's (default: auto)")
  private String theme;

  @Option(
      names = "--width",
      paramLabel = "PIXELS",
      defaultValue = "900",
      description = "280 to 4000; text keeps its size (default: 900)")
  private int width;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "time zone of the axis, such as Europe/Berlin or UTC")
  private String zone;

  @Override
  protected int ask(RestClient server) throws IOException {
    if ((subject.parameter == null) != (name == null)) {
      throw bad(
          subject.parameter == null
              ? subject + " accepts no name, got '" + name + "'"
              : "give the name of the " + (subject.parameter.equals("job") ? "job" : subject));
    }
    if (theme.equals("page")) {
      throw bad("--theme is light, dark or auto");
    }
    boolean stdout = output.equals(STDOUT);
    NewFile file =
        stdout
            ? null
            : NewFile.check(
                caller().absolute(Path.of(output)),
                force ? NewFile.Existing.REPLACE : NewFile.Existing.REFUSE);
    String svg = draw(server);
    if (stdout) {
      out().print(svg);
      out().flush();
    } else {
      file.write(svg);
      say("wrote " + output);
    }
    return OK;
  }

  private String draw(RestClient server) throws IOException {
    Map<String, String> query = new LinkedHashMap<>();
    put(query, subject.parameter, name);
    put(query, "since", since);
    put(query, "metric", metric);
    put(query, "by", by);
    put(query, "theme", theme);
    put(query, "width", Integer.toString(width));
    put(query, "zone", zone == null ? ZoneId.systemDefault().getId() : zone);
    try {
      return new DrawingRequests(server::get, Clock.systemUTC())
          .svg(subject.name(), query)
          .orElseThrow();
    } catch (IllegalArgumentException wrong) {
      throw bad(wrong.getMessage());
    }
  }

  private static void put(Map<String, String> query, String parameter, String value) {
    if (value != null) {
      query.put(parameter, value);
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
