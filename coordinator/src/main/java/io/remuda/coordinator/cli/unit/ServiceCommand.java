package io.remuda.coordinator.cli.unit;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.LockFile;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.cli.server.ServeCommand;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the server a service of the user's systemd. */
@Command(
    name = "service",
    description =
        "Runs the server as a service of your systemd: it starts with the machine or your login,"
            + " and again after a failure. No root is needed.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ServiceCommand.Install.class,
      ServiceCommand.Remove.class,
      ServiceCommand.Status.class
    })
public final class ServiceCommand implements Runnable {

  private static final int FAILURE = 1;
  private static final int NOT_RUNNING = 3;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "give a command: remuda service install, remove or status");
  }

  private static Path file(Caller caller) {
    String home = System.getProperty(RemudaPaths.HOME_PROPERTY, System.getProperty("user.home"));
    Path usual = Path.of(caller.variable("HOME").orElse(home), ".config");
    Path configuration = caller.variable("XDG_CONFIG_HOME").map(Path::of).orElse(usual);
    return caller
        .resolve(configuration)
        .resolve("systemd")
        .resolve("user")
        .resolve(ServiceUnit.NAME);
  }

  /** A command of the service. */
  @Command(mixinStandardHelpOptions = true)
  abstract static class ServiceVerb implements Callable<Integer> {

    @Spec CommandSpec spec;

    final Caller caller() {
      return Caller.of(spec);
    }

    final UserSystemd systemd() {
      return new UserSystemd(caller());
    }

    final void say(String line) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(PrintableText.lines(line));
      out.flush();
    }

    final int fail(String line) {
      spec.commandLine().getErr().println("remuda: " + PrintableText.of(line));
      spec.commandLine().getErr().flush();
      return FAILURE;
    }
  }

  /** Writes the unit, and starts it. */
  @Command(
      name = "install",
      description =
          "Writes the unit remuda.service, enables it and starts it. The variables REMUDA_HOME,"
              + " REMUDA_CACHE, REMUDA_SERVER_MEMORY and PATH are those of this moment.",
      sortOptions = false)
  static final class Install extends ServiceVerb {

    @Option(names = "--print", description = "print the unit and change nothing")
    private boolean print;

    @Parameters(
        arity = "0..*",
        paramLabel = "-- OPTIONS",
        description = "options of remuda serve, such as -- --listen 10.0.0.1:7070")
    private List<String> options = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
      checkOptions();
      String text = unit().text();
      if (print) {
        say(text.stripTrailing());
        return 0;
      }
      boolean present = systemd().isThere();
      if (present && !systemd().systemctl("is-active", ServiceUnit.NAME).isGood() && isServed()) {
        return fail(
            "a server has "
                + caller().paths().state()
                + " already: end it with remuda stop --keep, then give this again");
      }
      Path file = file(caller());
      FolderOwnershipCheck.create(file.getParent());
      PrivateFileWriter.write(file, text.getBytes(StandardCharsets.UTF_8));
      say("wrote " + file);
      return present ? enable() : explain();
    }

    private void checkOptions() {
      try {
        new CommandLine(new ServeCommand()).parseArgs(options.toArray(String[]::new));
      } catch (ParameterException wrong) {
        throw new ParameterException(
            spec.commandLine(), "remuda serve: " + wrong.getMessage(), wrong);
      }
      if (options.contains("--detach")) {
        throw new ParameterException(
            spec.commandLine(), "leave out --detach: systemd runs the server in the foreground");
      }
    }

    private boolean isServed() throws IOException {
      return LockFile.isHeld(caller().paths().state().resolve("serve.lock"));
    }

    private ServiceUnit unit() throws IOException {
      RemudaPaths paths = caller().paths();
      Map<String, String> environment = new TreeMap<>();
      environment.put("REMUDA_HOME", paths.state().toString());
      environment.put("REMUDA_CACHE", paths.cache().toString());
      environment.put("JAVA_HOME", System.getProperty("java.home"));
      for (String name : List.of("PATH", "REMUDA_SERVER_MEMORY")) {
        caller().variable(name).ifPresent(value -> environment.put(name, value));
      }
      Path program = Distribution.locate().home().resolve("bin").resolve("remuda");
      return new ServiceUnit(program.toString(), options, environment);
    }

    private int enable() throws InterruptedException {
      for (String[] words :
          List.of(
              new String[] {"daemon-reload"},
              new String[] {"enable", ServiceUnit.NAME},
              new String[] {"restart", ServiceUnit.NAME})) {
        UserSystemd.Result done = systemd().systemctl(words);
        if (!done.isGood()) {
          return fail("systemctl --user " + String.join(" ", words) + ": " + done.text());
        }
      }
      say("started; its log: journalctl --user -u " + ServiceUnit.NAME);
      if (!systemd().lingers(System.getProperty("user.name"))) {
        say("it ends when you log out, unless: loginctl enable-linger");
      }
      return 0;
    }

    private int explain() {
      say("there is no systemd for this user here, so it is not started; where there is one:");
      say("systemctl --user enable --now " + ServiceUnit.NAME + "; loginctl enable-linger");
      return 0;
    }
  }

  /** Stops the service and removes the unit. */
  @Command(
      name = "remove",
      description = "Stops the service and removes its unit. Tasks run on; the state is kept.")
  static final class Remove extends ServiceVerb {

    @Override
    public Integer call() throws IOException, InterruptedException {
      Path file = file(caller());
      if (!Files.exists(file)) {
        return fail("there is no " + file + ": nothing is installed");
      }
      boolean present = systemd().isThere();
      if (present) {
        UserSystemd.Result done = systemd().systemctl("disable", "--now", ServiceUnit.NAME);
        if (!done.isGood()) {
          return fail("systemctl --user disable: " + done.text());
        }
      }
      Files.delete(file);
      if (present) {
        systemd().systemctl("daemon-reload");
      }
      say("removed " + file);
      return 0;
    }
  }

  /** Says whether the service is installed and runs. */
  @Command(
      name = "status",
      description = "Says whether the service is installed and runs; the exit code is 0 or 3.")
  static final class Status extends ServiceVerb {

    @Override
    public Integer call() throws InterruptedException {
      Path file = file(caller());
      say(Files.exists(file) ? "unit     " + file : "unit     none (remuda service install)");
      if (!systemd().isThere()) {
        say("state    unknown: there is no systemd for this user here");
        return NOT_RUNNING;
      }
      UserSystemd.Result active = systemd().systemctl("is-active", ServiceUnit.NAME);
      say("state    " + active.text());
      say("starts   " + systemd().systemctl("is-enabled", ServiceUnit.NAME).text());
      boolean stays = systemd().lingers(System.getProperty("user.name"));
      say("lingers  " + (stays ? "yes" : "no: it ends when you log out (loginctl enable-linger)"));
      return active.isGood() ? 0 : NOT_RUNNING;
    }
  }
}
