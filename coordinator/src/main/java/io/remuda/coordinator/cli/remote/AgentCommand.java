package io.remuda.coordinator.cli.remote;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.main.AgentMain;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.slurm.SrunArgumentSplitter;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Joins a machine to a server: this one, or others by ssh. */
@Command(
    name = "agent",
    description =
        "Lends a machine's CPUs and GPUs to the jobs of a server: of this machine, in the"
            + " foreground; or with --ssh of others, in the background there. Ctrl-C or SIGTERM ends"
            + " it, and its tasks run on: the next agent of this machine finds them. To have none"
            + " left first: remuda drain NODE. To have the node forgotten: remuda nodes remove NODE.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:an agent cannot start, or has failed", "2:bad usage"},
    sortOptions = false)
public final class AgentCommand implements Callable<Integer> {

  private static final int FAILURE = 1;
  private static final int AT_ONCE = 8;
  private static final Set<String> OWN = Set.of("--ssh", "--ssh-options", "--stop", "--join");

  @Option(
      names = "--ssh",
      arity = "1..*",
      paramLabel = "HOST",
      description =
          "copy this release to these hosts, as far as it is not there, and the access file, and"
              + " start an agent on each; needs nothing there but ssh, tar and sha256sum")
  private List<String> hosts = List.of();

  @Option(
      names = "--ssh-options",
      paramLabel = "WORDS",
      description = "options of ssh in one word, such as '-p 2222 -i key'")
  private String sshOptions = "";

  @Option(names = "--stop", description = "with --ssh: end the agents there; their tasks run on")
  private boolean stop;

  @Mixin private AgentMain agent;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (hosts.isEmpty()) {
      if (stop || !sshOptions.isEmpty()) {
        throw wrong("--stop and --ssh-options go with --ssh HOST");
      }
      return agent.call();
    }
    RemudaPaths paths = Caller.of(spec).paths();
    List<RemoteShell> shells = shells();
    RemoteAgent.Parts parts = parts(paths.state());
    if (!stop) {
      checkContacts(parts.access(), shells);
    }
    return each(shells, parts);
  }

  private ParameterException wrong(String text) {
    return new ParameterException(spec.commandLine(), text);
  }

  private List<RemoteShell> shells() {
    try {
      List<String> options = new ArrayList<>(SrunArgumentSplitter.split(sshOptions));
      if (hosts.size() > 1) {
        options.addAll(List.of("-o", "BatchMode=yes")); // questions of several would mix
      }
      return hosts.stream().map(host -> new RemoteShell(host, options, Caller.of(spec))).toList();
    } catch (IllegalArgumentException refused) {
      throw wrong(refused.getMessage().replace("--srun-args", "--ssh-options"));
    }
  }

  private RemoteAgent.Parts parts(Path home) throws IOException {
    Optional<String> name = Optional.empty();
    List<String> options = new ArrayList<>();
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (OWN.contains(option.longestName())) {
        continue;
      }
      for (String value : option.originalStringValues()) {
        options.add(option.longestName() + "=" + value);
      }
      if (option.longestName().equals("--name")) {
        name = option.originalStringValues().stream().reduce((first, last) -> last);
      }
    }
    if (name.isPresent() && hosts.size() > 1) {
      throw wrong("--name is for one host, and --ssh has " + hosts.size());
    }
    String join = spec.commandLine().getParseResult().matchedOptionValue("--join", null);
    Path file =
        join == null
            ? home.resolve(ServerAccessFile.FILE)
            : Caller.of(spec).absolute(Path.of(join));
    Distribution distribution = Distribution.locate();
    ReleaseManifest manifest =
        stop ? new ReleaseManifest(Map.of()) : ReleaseManifest.of(distribution.home());
    return new RemoteAgent.Parts(
        distribution, manifest, AccessFile.read(file), options, name, home);
  }

  /** Refuses an address at which another machine would find itself. */
  private void checkContacts(AccessFile access, List<RemoteShell> shells)
      throws IOException, InterruptedException {
    String contact = access.contacts().get(0);
    if (!isLoopback(contact.substring(0, contact.lastIndexOf(':')))) {
      return;
    }
    for (RemoteShell shell : shells) {
      if (!isLoopback(SshHostAddressLookup.address(shell))) {
        throw wrong(
            "the server listens on "
                + contact
                + ", where "
                + shell.host()
                + " cannot reach it: start it with remuda serve --listen ADDRESS");
      }
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (IOException unknown) {
      return false;
    }
  }

  private int each(List<RemoteShell> shells, RemoteAgent.Parts parts) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_ONCE, shells.size()));
    Map<RemoteShell, Future<String>> results = new LinkedHashMap<>();
    for (RemoteShell shell : shells) {
      RemoteAgent one = new RemoteAgent(shell, parts);
      results.put(shell, threads.submit(() -> stop ? one.stop() : one.start()));
    }
    threads.shutdown();
    int failed = 0;
    for (Map.Entry<RemoteShell, Future<String>> entry : results.entrySet()) {
      failed += tell(entry.getKey().host(), entry.getValue());
    }
    return failed == 0 ? 0 : FAILURE;
  }

  private int tell(String host, Future<String> result) throws InterruptedException {
    try {
      say(spec.commandLine().getOut(), host + ": " + result.get());
      return 0;
    } catch (ExecutionException fault) {
      say(spec.commandLine().getErr(), "remuda: " + host + ": " + fault.getCause().getMessage());
      return 1;
    }
  }

  private static void say(PrintWriter to, String line) {
    to.println(PrintableText.of(line));
    to.flush();
  }

  /** What the user's configuration of ssh says of a host. */
  private static final class SshHostAddressLookup {

    private static final String ADDRESS = "hostname ";

    private SshHostAddressLookup() {}

    /** Returns the address that ssh connects to for a host. */
    static String address(RemoteShell shell) throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of("ssh", "-G"));
      command.addAll(shell.options());
      command.addAll(List.of("--", shell.host()));
      Process ssh = shell.builder(command).redirectErrorStream(true).start();
      ssh.getOutputStream().close();
      String text = new String(ssh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (ssh.waitFor() != 0) {
        throw new IOException("ssh: " + text.strip());
      }
      return text.lines()
          .filter(line -> line.startsWith(ADDRESS))
          .map(line -> line.substring(ADDRESS.length()))
          .findFirst()
          .orElse(shell.host());
    }
  }
}
