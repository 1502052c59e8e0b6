package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import io.remuda.coordinator.access.RotatingClusterKeys;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cluster.ClusterFile;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes the next step of the renewal of a cluster's key. */
@Command(
    name = "renew-key",
    description =
        "Renews the key of a cluster while it runs, in three steps, of which each call takes the"
            + " next and says what to do then: the members trust a new key; they show it; they trust"
            + " the old one no more. It changes the file with the key, which you copy to the"
            + " machines of the other members; they take it up within seconds. A step is refused"
            + " until every member has taken up the step before.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the step is taken",
      "1:a member has not taken up the step before, or a file cannot be used",
      "2:bad usage"
    })
public final class RenewKeyCommand implements Callable<Integer> {

  @Option(
      names = "--file",
      paramLabel = "FILE",
      defaultValue = "cluster.yaml",
      description = "the cluster's file, beside that of its key (default: ${DEFAULT-VALUE})")
  private Path file;

  @Option(
      names = "--force",
      description =
          "do not ask the members; one that lacks the step before is cut off from the others until"
              + " its machine has the new file")
  private boolean force;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, GeneralSecurityException {
    Path target = Caller.of(spec).absolute(file);
    if (Files.notExists(target)) {
      throw new ParameterException(
          spec.commandLine(),
          "--file: " + target + " is missing: give the cluster's file, beside which its key lies");
    }
    ClusterFile cluster = ClusterFile.read(target);
    Path keyFile = LocalMemberConfig.secretOf(target);
    ClusterSecret secret =
        ClusterSecret.read(keyFile)
            .orElseThrow(
                () ->
                    new IOException(
                        keyFile + " is missing: give the --file beside which the key lies"));
    List<String> obstacles = force ? List.of() : obstacles(cluster, secret, keyFile);
    if (!obstacles.isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("remuda: the next step must wait, and nothing was changed:");
      obstacles.forEach(obstacle -> err.println("  " + obstacle));
      err.println("remuda: --force takes it without asking the members");
      err.flush();
      return ServerCommandBase.FAILURE;
    }
    ClusterSecret next = secret.renewed(Clock.systemUTC().instant());
    next.write(keyFile);
    PrintWriter out = spec.commandLine().getOut();
    words(next.keys(), keyFile, secret.keys()).forEach(out::println);
    out.flush();
    return ServerCommandBase.OK;
  }

  /** Returns what is against the next step, a line for each member that has not what it needs. */
  private static List<String> obstacles(ClusterFile cluster, ClusterSecret secret, Path keyFile) {
    Map<String, ServerAccessFile> members = new LinkedHashMap<>();
    for (ClusterFile.Member member : cluster.members()) {
      members.put(member.name(), secret.owner("https://" + member.rest(), null));
    }
    return obstacles(
        cluster, MemberKeyFingerprints.of(secret.keys()), ReportedMemberKeys.ask(members), keyFile);
  }

  static List<String> obstacles(
      ClusterFile cluster, MemberKeyFingerprints wanted, ReportedMemberKeys keys, Path keyFile) {
    List<String> obstacles = new ArrayList<>();
    for (ClusterFile.Member member : cluster.members()) {
      String fault = keys.away().get(member.name());
      MemberKeyFingerprints key = keys.known().get(member.name());
      if (fault != null) {
        obstacles.add(member.name() + " does not say which key it has: " + fault);
      } else if (!wanted.equals(key)) {
        obstacles.add(
            String.format(
                "%s has the key %s, and %s has %s: copy that file to %s; it is taken up within"
                    + " seconds",
                member.name(), key, keyFile, wanted, member.host()));
      }
    }
    return obstacles;
  }

  private static List<String> words(
      RotatingClusterKeys keys, Path file, RotatingClusterKeys before) {
    String copy =
        "now copy "
            + file
            + " to the machines of the other members, with mode 0600; remuda cluster shows who has"
            + " taken it up: "
            + MemberKeyFingerprints.of(keys);
    String again = "then call remuda cluster renew-key again";
    if (keys instanceof RotatingClusterKeys.Announced announced) {
      return List.of(
          "step 1 of 3: the new key "
              + announced.next().certificate().fingerprint()
              + " is trusted, and the old one still shown",
          copy,
          "before step 2, give each agent of another machine the access.json of a member (it needs"
              + " no restart), and each user the file of remuda user renew NAME",
          again);
    }
    if (keys instanceof RotatingClusterKeys.Replaced replaced) {
      return List.of(
          "step 2 of 3: the new key "
              + replaced.key().certificate().fingerprint()
              + " is shown, and the old one still trusted",
          copy,
          again);
    }
    return List.of(
        "step 3 of 3: the old key "
            + before.furtherTrusted().get(0).fingerprint()
            + " is no longer trusted",
        copy,
        "connections that are open stay: remuda cluster hand-over ends those of agents");
  }
}
