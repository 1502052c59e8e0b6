package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets Prometheus read the metrics of a server. */
@Command(
    name = "metrics",
    description = "Lets Prometheus read the metrics of a server: GPUs, nodes, jobs and the queue.",
    mixinStandardHelpOptions = true,
    subcommands = {MetricsCommand.Token.class, MetricsCommand.ScrapeConfig.class})
public final class MetricsCommand implements Runnable {

  /** Folder of the files for Prometheus in that of the server. */
  private static final String FOLDER = "metrics";

  private static final String TOKEN = "token";
  private static final String CERTIFICATE = "ca.pem";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "give a command: remuda metrics token or scrape-config");
  }

  /** A command with a folder for the files. */
  abstract static class WithFolder extends ServerCommandBase {

    @Option(
        names = "--folder",
        paramLabel = "FOLDER",
        description =
            "of the files for Prometheus, token and ca.pem, each of mode 0600"
                + " (default: $$REMUDA_HOME/metrics)")
    private Path folder;

    Path folder() {
      return folder == null ? caller().paths().state().resolve(FOLDER) : caller().absolute(folder);
    }

    /** Has the server make a token that replaces the one before, and writes it into the folder. */
    Path make(RestClient server) throws IOException {
      JsonNode made = server.post("/metrics-token", null);
      Path file = file(TOKEN);
      PrivateFileWriter.write(
          file, made.path("token").asText().getBytes(StandardCharsets.US_ASCII));
      String word = made.path("replaced").asBoolean() ? "; the token before is invalid now" : "";
      err().println("remuda: wrote " + file + word);
      err().flush();
      return file;
    }

    /** Returns the path of a file of the folder, which is there then, for its owner alone. */
    Path file(String name) throws IOException {
      Path all = folder();
      if (!Files.isDirectory(all)) {
        Files.createDirectories(
            all,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      return all.resolve(name);
    }
  }

  /** Makes the token that reads metrics, or removes it. */
  @Command(
      name = "token",
      description =
          "Makes a token that may read metrics and nothing else, and writes it into a file. A token"
              + " that was made before is invalid then.")
  static final class Token extends WithFolder {

    @Option(names = "--remove", description = "make none: the token is invalid at once")
    private boolean remove;

    @Override
    protected int ask(RestClient server) throws IOException {
      if (remove) {
        boolean was = server.post("/metrics-token/remove", null).path("removed").asBoolean();
        say(was ? "the token for metrics is invalid now" : "there is no token for metrics");
        return OK;
      }
      make(server);
      return OK;
    }
  }

  /** Prints the part of Prometheus' configuration that reads this server. */
  @Command(
      name = "scrape-config",
      description =
          "Prints what prometheus.yml needs to read this server: one job for its metrics, and one"
              + " for its GPUs by the names of NVIDIA's DCGM exporter. Makes a token if the folder"
              + " has none.")
  static final class ScrapeConfig extends WithFolder {

    @Override
    protected int ask(RestClient server) throws IOException {
      ServerAccessFile access = server.access();
      Path token = file(TOKEN);
      if (!Files.exists(token)) {
        make(server);
      }
      Path certificate = null;
      if (access.pin() != null) {
        certificate = file(CERTIFICATE);
        PrivateFileWriter.write(
            certificate, String.join("", access.pins()).getBytes(StandardCharsets.US_ASCII));
      }
      ScrapeConfigText.lines(access, token, certificate).forEach(out()::println);
      out().flush();
      return OK;
    }
  }
}
