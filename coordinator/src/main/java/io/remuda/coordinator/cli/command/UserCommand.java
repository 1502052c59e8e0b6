package io.remuda.coordinator.cli.command;

import io.remuda.coordinator.access.ServerAccess;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What concerns users. */
@Command(
    name = "user",
    description = "Lets others submit jobs. They run under this server's account all the same.",
    mixinStandardHelpOptions = true,
    subcommands = UserCommand.Add.class)
final class UserCommand implements Runnable {

  @picocli.CommandLine.Spec private picocli.CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new picocli.CommandLine.ParameterException(
        spec.commandLine(), "say what to do: remuda user add NAME");
  }

  /** Adds a user. */
  @Command(
      name = "add",
      description = "Makes an access file for a user, to be given to nobody else.")
  static final class Add extends Verb {

    @Parameters(paramLabel = "NAME")
    private String name;

    @Option(
        names = "--share",
        paramLabel = "N",
        description = "of the machines, against others (1)")
    private double share = 1;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description =
            "the access file to make (NAME.access.json); its user puts it into"
                + " $$REMUDA_HOME as access.json")
    private Path file;

    @Override
    int ask(RestClient server) throws IOException {
      String token =
          server.post("/users", Map.of("name", name, "share", share)).path("token").asText();
      Path target = (file == null ? Path.of(name + ".access.json") : file).toAbsolutePath();
      ServerAccess access = server.access().forUser(name, token);
      access.write(target);
      if (!quiet) {
        out().println("wrote " + Printable.of(target.toString()));
        out().flush();
      }
      return OK;
    }
  }
}
