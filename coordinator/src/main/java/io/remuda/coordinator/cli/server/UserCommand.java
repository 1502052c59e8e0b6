package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.access.ServerAccessFile;
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

/** Manages the users of a server. */
@Command(
    name = "user",
    description = "Lets other users submit jobs. All jobs run under the account of the server.",
    mixinStandardHelpOptions = true,
    subcommands = {
      UserCommand.Add.class,
      UserCommand.Listing.class,
      UserCommand.Remove.class,
      UserCommand.Renew.class,
      UserLimitCommand.class,
      UserCommand.Curl.class
    })
public final class UserCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "give a command: remuda user add NAME, list, renew NAME, remove NAME, limit NAME or curl PATH");
  }

  /** Adds a user, or replaces the access file of one. */
  @Command(
      name = "add",
      description =
          "Creates an access file for a user, to be given to that user only. A user who has one is"
              + " refused.")
  static final class Add extends ServerCommandBase {

    @Parameters(paramLabel = "NAME")
    private String name;

    @Option(
        names = "--share",
        paramLabel = "N",
        description = "share of the machines relative to other users (default: 1)")
    private double share = 1;

    @Option(
        names = "--replace",
        description = "also for a user who has a file, which then no longer works")
    private boolean replace;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description =
            "access file to create (default: NAME.access.json); the user puts it into"
                + " $$REMUDA_HOME as access.json")
    private Path file;

    @Override
    protected int ask(RestClient server) throws IOException {
      return make(this, server, file, Map.of("name", name, "share", share, "replace", replace));
    }
  }

  /** Replaces the access file of a user. */
  @Command(
      name = "renew",
      description =
          "Creates a new access file for a user; the earlier one is invalid at once. Jobs, share"
              + " and limits stay.")
  static final class Renew extends ServerCommandBase {

    @Parameters(paramLabel = "NAME")
    private String name;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "access file to create (default: NAME.access.json)")
    private Path file;

    @Override
    protected int ask(RestClient server) throws IOException {
      for (JsonNode user : server.get("/users").path("users")) {
        if (user.path("name").asText().equals(name)) {
          return make(this, server, file, Map.of("name", name, "replace", true));
        }
      }
      err().println("remuda: there is no user " + name + " (see remuda user list)");
      err().flush();
      return FAILURE;
    }
  }

  /** Writes the access file of a user who is added, or gets a new token. */
  private static int make(
      ServerCommandBase command, RestClient server, Path file, Map<String, Object> user)
      throws IOException {
    String name = (String) user.get("name");
    JsonNode added = server.post("/users", user);
    Path target = command.caller().absolute(file == null ? Path.of(name + ".access.json") : file);
    ServerAccessFile access = server.access().forUser(name, added.path("token").asText());
    access.write(target);
    String word =
        added.path("replaced").asBoolean()
            ? "; the earlier access file of " + name + " is invalid now"
            : "";
    command.say("wrote " + target + word);
    return ServerCommandBase.OK;
  }

  /** Lists users. */
  @Command(name = "list", description = "Shows all users, their shares, and who may submit jobs.")
  static final class Listing extends ServerCommandBase {

    @Override
    protected int ask(RestClient server) throws IOException {
      JsonNode answer = server.get("/users");
      JsonNode users = answer.path("users");
      if (json) {
        printJson(users);
        return OK;
      }
      JsonNode ofAll = answer.path("limits");
      TextTable table = new TextTable("USER", "SHARE", "ACCESS", "LIMITS");
      for (JsonNode user : users) {
        String access = user.path("hasToken").asBoolean() ? "yes" : "needs a new file";
        table.row(
            user.path("name").asText(),
            user.path("share").asDouble(),
            user.path("owner").asBoolean() ? "owner" : access,
            UserLimitCommand.words(user.path("limits")));
      }
      print(table);
      if (!ofAll.isEmpty()) {
        out().println("all others: " + UserLimitCommand.words(ofAll));
        out().flush();
      }
      return OK;
    }
  }

  /** Removes a user. */
  @Command(
      name = "remove",
      description = "Invalidates a user's access file at once. The user's jobs continue.")
  static final class Remove extends ServerCommandBase {

    @Parameters(paramLabel = "NAME")
    private String name;

    @Override
    protected int ask(RestClient server) throws IOException {
      server.post("/users/" + RestClient.encode(name) + "/remove", null);
      if (!quiet) {
        out().println("removed " + name + "; remuda state --user " + name + " lists its jobs");
        out().flush();
      }
      return OK;
    }
  }

  /** Prints a configuration for curl. */
  @Command(
      name = "curl",
      description =
          "Prints a configuration with which curl sends a request to this server, with your token,"
              + " and trusts only this server: remuda user curl /jobs | curl -K -")
  static final class Curl extends ServerCommandBase {

    @Parameters(paramLabel = "PATH", description = "path below /api/v1, such as /jobs")
    private String path;

    @Override
    protected int ask(RestClient server) throws IOException {
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
