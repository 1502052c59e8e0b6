package io.remuda.coordinator.cli.ui;

import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RelayedAnswer;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.ShellQuoting;
import io.remuda.coordinator.ui.PageContext;
import io.remuda.coordinator.ui.PageServer;
import io.remuda.coordinator.ui.PageServer.ShownServer;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Serves the page with everything that the server knows to a browser on this machine. */
@Command(
    name = "ui",
    description =
        "Shows nodes, GPUs, the queue, jobs and their past as a page: prints its address, which"
            + " only this machine reaches, opens it where there is a browser, and serves it until"
            + " Ctrl-C. The link is good for one browser.",
    exitCodeList = {
      "0:success",
      "1:failure, or refused by the server",
      "2:bad usage",
      "3:no server answers",
      "130:Ctrl-C"
    })
public final class UiCommand extends ServerCommandBase {

  /** The same each time, so that a tunnel and a bookmark stay good; any other if it is in use. */
  private static final int USUAL_PORT = 7832;

  /**
   * Settings of the JDK's HTTP server, of which a process has one: a small answer does not wait 40
   * ms for an acknowledgement, and a request that has not come in 30 s is given up, so that nobody
   * holds a thread by half of one. Answers, such as streams of events, may take any time.
   */
  private static final Map<String, String> HTTP =
      Map.of("sun.net.httpserver.nodelay", "true", "sun.net.httpserver.maxReqTime", "30");

  private static final int LAST_PORT = 65_535;
  private static final Path MACHINE = Path.of("/proc/sys/kernel/hostname");

  @Option(
      names = "--port",
      paramLabel = "N",
      description =
          "port on 127.0.0.1; 0 for any that is free (default: 7832, or any if it is in use)")
  private Integer port;

  @Option(names = "--no-browser", description = "only print the address")
  private boolean noBrowser;

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    if (port != null && (port < 0 || port > LAST_PORT)) {
      throw new ParameterException(spec.commandLine(), "--port must be 0 to 65535, got " + port);
    }
    server.get("/version"); // the page waits for a server that is away, a mistake is said now
    String machine = machine();
    ShownServer shown = new Shown(server, machine);
    if (caller().isOwnProcess()) {
      HTTP.forEach(System::setProperty);
    }
    BrowserLauncher browser = new BrowserLauncher(caller());
    try (PageServer page = listen(shown, browser)) {
      announce(page, machine, browser);
      new CountDownLatch(1).await(); // until the process ends, or whoever called is interrupted
      return OK;
    } catch (BindException inUse) {
      err().println("remuda: port " + port + " is in use here: --port 0 takes any that is free");
      return FAILURE;
    } finally {
      browser.forget();
    }
  }

  private PageServer listen(ShownServer shown, BrowserLauncher browser) throws IOException {
    PageServer[] listening = new PageServer[1];
    Runnable used =
        () -> {
          browser.forget();
          sayNext(listening[0]);
        };
    try {
      listening[0] = PageServer.listen(port == null ? USUAL_PORT : port, shown, used);
    } catch (BindException inUse) {
      if (port != null) {
        throw inUse;
      }
      listening[0] = PageServer.listen(0, shown, used);
    }
    return listening[0];
  }

  private void sayNext(PageServer page) {
    if (page != null && !quiet && !json) {
      err().println("remuda: a browser has opened it; for another one: " + page.link());
      err().flush();
    }
  }

  private void announce(PageServer page, String machine, BrowserLauncher browser)
      throws IOException {
    if (json) {
      printJson(
          RestClient.JSON.createObjectNode().put("url", page.link()).put("port", page.port()));
      return;
    }
    out().println(page.link());
    out().flush();
    if (quiet) {
      return;
    }
    boolean opened = !noBrowser && browser.isPossible() && browser.open(page.link());
    if (opened) { // a browser in a sandbox does not see the file that leads to the page
      err()
          .println(
              "remuda: a browser is asked to open it; if it shows no page, open the line above");
    } else {
      String tunnel =
          SshTunnelLine.of(
              page.port(), System.getProperty("user.name"), machine, caller().readEnvironment());
      err().println("remuda: from another machine, first: " + tunnel);
    }
    err().println("remuda: the page is there until Ctrl-C");
    err().flush();
  }

  private static String machine() {
    try {
      return Files.readString(MACHINE).strip();
    } catch (IOException none) {
      return "localhost";
    }
  }

  private record Shown(RestClient server, String machine) implements ShownServer {
    @Override
    public RelayedAnswer ask(String method, String path, byte[] body) throws IOException {
      return server.relay(method, path, body);
    }

    @Override
    public PageContext context() throws IOException {
      return new PageContext(
          server.access().user(),
          server.access().rest(),
          machine,
          ZoneId.systemDefault().getId(),
          BuildVersion.VERSION);
    }
  }

  /** The line that makes the page reachable on the machine in front of which the user sits. */
  static final class SshTunnelLine {

    private static final int SERVER_ADDRESS = 2; // of SSH_CONNECTION: client, port, server, port
    private static final int FIELDS = 4;
    private static final int SERVER_PORT = 3;

    private SshTunnelLine() {}

    /**
     * Returns the line.
     *
     * @param environment says by which address the user has come here, if by ssh
     * @param machine name of this machine, for a user who has not
     */
    static String of(int port, String user, String machine, Map<String, String> environment) {
      String[] connection = environment.getOrDefault("SSH_CONNECTION", "").split(" ");
      boolean known = connection.length == FIELDS;
      String host = known ? connection[SERVER_ADDRESS] : machine;
      String at =
          known && !connection[SERVER_PORT].equals("22") ? " -p " + connection[SERVER_PORT] : "";
      return "ssh -N -L %d:127.0.0.1:%d%s %s"
          .formatted(port, port, at, ShellQuoting.quoted(user + "@" + host));
    }
  }
}
