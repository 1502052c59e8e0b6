package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.cluster.ClusterFile;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the files of a new cluster. */
@Command(
    name = "init",
    description =
        "Writes the file of a cluster of coordinators, and beside it the file with its key. Copy"
            + " both to each of its machines, the key readable for its owner alone, and start each"
            + " with remuda serve --cluster FILE.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ClusterInitCommand implements Callable<Integer> {

  @Option(
      names = "--store",
      paramLabel = "URL",
      required = true,
      description =
          "the PostgreSQL database that all members reach, as"
              + " jdbc:postgresql://HOST/NAME?user=USER; the password comes from ~/.pgpass")
  private String store;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      defaultValue = "cluster.yaml",
      description = "file to create (default: ${DEFAULT-VALUE})")
  private Path file;

  @Parameters(
      paramLabel = "NAME=HOST:PORT",
      arity = "1..*",
      description =
          "a member: its name, the address by which all others reach it, and the first of three"
              + " ports")
  private List<String> members;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, GeneralSecurityException {
    ClusterFile cluster = cluster();
    Path target = Caller.of(spec).absolute(file);
    Path secret = LocalMemberConfig.secretOf(target);
    for (Path each : List.of(target, secret)) {
      if (Files.exists(each)) {
        throw new IOException(each + " exists: remove it, or give another --file");
      }
    }
    secret(cluster).write(secret);
    Files.writeString(target, cluster.text());
    PrintWriter out = spec.commandLine().getOut();
    out.println("wrote " + target + " and " + secret);
    out.println("copy both to each member's machine, and start it there:");
    for (ClusterFile.Member member : cluster.members()) {
      out.println(
          "  "
              + member.host()
              + "$ remuda serve --cluster "
              + target.getFileName()
              + " --member "
              + member.name());
    }
    out.flush();
    return ServerCommandBase.OK;
  }

  private ClusterFile cluster() {
    try {
      if (PostgresDatabase.hasPassword(store)) {
        throw new IllegalArgumentException(
            "--store: other users see the arguments of programs: put the password into ~/.pgpass");
      }
      new PostgresDatabase(store);
      List<ClusterFile.Member> all = new ArrayList<>();
      for (String member : members) {
        int equals = member.indexOf('=');
        if (equals < 0) {
          throw new IllegalArgumentException("a member is NAME=HOST:PORT, got '" + member + "'");
        }
        all.add(ClusterFile.member(member.substring(0, equals), member.substring(equals + 1)));
      }
      return ClusterFile.of(store, all);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage());
    }
  }

  /** Returns a new key, with the owner's token. */
  private static ClusterSecret secret(ClusterFile cluster) throws GeneralSecurityException {
    String owner = System.getProperty("user.name");
    return ClusterSecret.create(
        owner,
        new UserTokenRegistry(List.of(), owner).create(),
        cluster.members().stream().map(ClusterFile.Member::host).toList(),
        Clock.systemUTC().instant());
  }
}
