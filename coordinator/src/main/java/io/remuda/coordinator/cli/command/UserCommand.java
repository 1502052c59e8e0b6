package io.remuda.coordinator.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccess;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.client.CurlConfig;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What concerns users. */
@Command(
    name = "user",
    description = "Lets others submit jobs. They run under this server's account all the same.",
    mixinStandardHelpOptions = true,
    subcommands = {
      UserCommand.Add.class,
      UserCommand.Listing.class,
      UserCommand.Remove.class,
      UserCommand.Curl.class
    })
final class UserCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: remuda user add NAME, list, remove NAME or curl PATH");
  }

  /** Adds a user. */
  @Command(
      name = "add",
      description =
          "Makes an access file for a user, to be given to nobody else. A user who has one is"
              + " refused.")
  static final class Add extends RestCommand {

    @Parameters(paramLabel = "NAME")
    private String name;

    @Option(
        names = "--share",
        paramLabel = "N",
        description = "of the machines, against others (1)")
    private double share = 1;

    @Option(
        names = "--replace",
        description = "also for a user who has one, which is worth nothing from then on")
    private boolean replace;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description =
            "the access file to make (NAME.access.json); its user puts it into"
                + " $$REMUDA_HOME as access.json")
    private Path file;

    @Override
    int ask(RestClient server) throws IOException {
      JsonNode added =
          server.post("/users", Map.of("name", name, "share", share, "replace", replace));
      Path target = (file == null ? Path.of(name + ".access.json") : file).toAbsolutePath();
      ServerAccess access = server.access().forUser(name, added.path("token").asText());
      access.write(target);
      if (!quiet) {
        boolean replaced = added.path("replaced").asBoolean();
        String word = "; the access file that " + name + " had before is worth nothing now";
        out().println("wrote " + target + (replaced ? word : ""));
        out().flush();
      }
      return OK;
    }
  }

  /** Lists users. */
  @Command(name = "list", description = "Shows all users, their shares, and who may submit jobs.")
  static final class Listing extends RestCommand {

    @Override
    int ask(RestClient server) throws IOException {
      JsonNode users = server.get("/users").path("users");
      if (json) {
        printJson(users);
        return OK;
      }
      TextTable table = new TextTable("USER", "SHARE", "ACCESS");
      for (JsonNode user : users) {
        String access = user.path("hasToken").asBoolean() ? "yes" : "needs a new file";
        table.row(
            user.path("name").asText(),
            user.path("share").asDouble(),
            user.path("owner").asBoolean() ? "owner" : access);
      }
      print(table);
      return OK;
    }
  }

  /** Removes a user. */
  @Command(
      name = "remove",
      description = "Makes a user's access file worthless at once. The user's jobs go on.")
  static final class Remove extends RestCommand {

    @Parameters(paramLabel = "NAME")
    private String name;

    @Override
    int ask(RestClient server) throws IOException {
      server.post("/users/" + RestClient.encode(name) + "/remove", null);
      if (!quiet) {
        out().println("removed " + name + "; remuda state --user " + name + " shows what is left");
        out().flush();
      }
      return OK;
    }
  }

  /** Lets curl in. */
  @Command(
      name = "curl",
      description =
          "Prints what curl needs to ask the server, with your token, and trusting this server"
              + " alone: remuda user curl /jobs | curl -K -")
  static final class Curl extends RestCommand {

    @Parameters(paramLabel = "PATH", description = "below /api/v1, such as /jobs")
    private String path;

    @Override
    int ask(RestClient server) throws IOException {
      if (!path.matches("/[!-~&&[^\"\\\\]]*")) {
        throw new ParameterException(
            spec.commandLine(), "a path begins with / and has no blanks, got '" + path + "'");
      }
      CurlConfig.lines(server.access(), path).forEach(out()::println);
      out().flush();
      return OK;
    }
  }
}
