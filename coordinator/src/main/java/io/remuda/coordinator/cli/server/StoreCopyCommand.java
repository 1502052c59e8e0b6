package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.NativeLibraryUnpacker;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.service.FolderInUseException;
import io.remuda.coordinator.service.OfflineStateMigration;
import io.remuda.coordinator.service.StateAddress;
import io.remuda.coordinator.store.SqliteLibrary;
import io.remuda.coordinator.store.StateInUseException;
import io.remuda.coordinator.store.copy.CopyProgressListener;
import io.remuda.coordinator.store.copy.StateCopy;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Copies the state of the job service into another database, or from one into a file. */
@Command(
    name = "copy",
    description = {
      "Copies the state of the job service into another database, or from a database into a file,"
          + " while no server runs on either, and compares both. A STATE is a folder with a"
          + " state.db, or jdbc:postgresql://HOST/NAME?user=USER; the password comes from"
          + " ~/.pgpass.",
      "A copy that was broken off goes on when the same command is given again; until it is"
          + " finished no server begins on it. Running tasks continue, and the server of the copy"
          + " takes them over."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:copied",
      "1:refused, or not finished",
      "2:bad usage",
    },
    sortOptions = false)
public final class StoreCopyCommand implements Callable<Integer> {

  @Option(
      names = "--from",
      paramLabel = "STATE",
      required = true,
      description = "the state to copy, which stays as it is; put it aside afterwards")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "STATE",
      required = true,
      description = "where to: a folder or database without a state, or with an unfinished copy")
  private String to;

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "print nothing")
  private boolean quiet;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    StateAddress source = address("--from", from);
    StateAddress target = address("--to", to);
    if (from.equals(to) || source.equals(target)) {
      throw new ParameterException(spec.commandLine(), "--from and --to are the same state");
    }
    RemudaPaths paths = Caller.of(spec).paths();
    paths.requirePrivate();
    NativeLibraryUnpacker.useJna(paths.cache());
    SqliteLibrary.useFrom(paths.cache());
    StoreCopyProgressPrinter lines = StoreCopyProgressPrinter.to(spec.commandLine(), quiet || json);
    StateCopy.Summary done;
    try (lines) {
      done = copy(source, target, lines);
    }
    if (json) {
      printJson(done);
    } else if (!quiet) {
      say(source, target, done);
    }
    return ServerCommandBase.OK;
  }

  private StateAddress address(String option, String text) {
    try {
      return StateAddress.parse(text, Caller.of(spec).absolute(Path.of("")));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), option + ": " + wrong.getMessage());
    }
  }

  private StateCopy.Summary copy(
      StateAddress source, StateAddress target, CopyProgressListener progress) throws IOException {
    try {
      return new OfflineStateMigration(progress).run(source, target);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage());
    } catch (NoSuchFileException none) {
      throw new IOException(none.getFile() + " is missing: " + none.getReason(), none);
    } catch (FolderInUseException served) {
      StateAddress folder = source instanceof StateAddress.InFolder ? source : target;
      throw inUse("a server uses " + ((StateAddress.InFolder) folder).folder(), served);
    } catch (StateInUseException served) {
      throw inUse(served.getMessage(), served);
    } catch (StoreDamagedException damaged) {
      throw new IOException("the copy is not finished: " + damaged.getMessage(), damaged);
    }
  }

  private static IOException inUse(String what, IOException served) {
    return new IOException(what + ": remuda stop --keep ends it, and its tasks run on", served);
  }

  private void printJson(StateCopy.Summary done) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("from", done.from());
    all.put("to", done.to());
    all.put("rows", done.rows());
    all.put("copiedNow", done.now());
    PrintWriter out = spec.commandLine().getOut();
    out.println(RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all));
    out.flush();
  }

  private void say(StateAddress source, StateAddress target, StateCopy.Summary done) {
    PrintWriter out = spec.commandLine().getOut();
    long rows = done.rows().values().stream().mapToLong(Long::longValue).sum();
    out.println("copied " + done.from() + " to " + done.to() + ", " + rows + " rows, and compared");
    out.println("serve it with " + serve(target));
    out.println(
        "put "
            + done.from()
            + " aside: it is as it was, and what happens from now on is not in it"
            + (source instanceof StateAddress.InFolder
                ? "; remuda serve without --store is refused there"
                : "; nothing keeps a server from beginning on it"));
    out.flush();
  }

  private String serve(StateAddress target) {
    return target instanceof StateAddress.InFolder folder
        ? "remuda serve and REMUDA_HOME=" + folder.folder()
        : "remuda serve --store '" + to + "'";
  }
}
