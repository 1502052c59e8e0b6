package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.service.FolderInUseException;
import io.remuda.coordinator.service.ServiceFolder;
import io.remuda.coordinator.store.SqliteLibrary;
import io.remuda.coordinator.store.StateFileOperations;
import io.remuda.coordinator.store.StateInUseException;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replaces the state of the job service by a backup, or by an empty state. */
@Command(
    name = "restore",
    description = {
      "Replaces the state of the job service by a backup, while no server runs. The previous state"
          + " is kept in a folder state-before-TIME.",
      "Tasks that have started since the backup continue; remuda nodes lists them, and the server"
          + " does not end them. Those whose jobs are in the backup are started again as well."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class RestoreCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "a backup, or a state file with its write-ahead log beside it; the current state.db"
              + " itself, to keep what can be read of it")
  private Path file;

  @Option(names = "--empty", description = "no backup: the next server starts with an empty state")
  private boolean empty;

  @Option(
      names = {"-q", "--quiet"},
      description = "print nothing")
  private boolean quiet;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (empty == (file != null)) {
      throw new ParameterException(
          spec.commandLine(), "give the FILE of a backup, or --empty for an empty state");
    }
    RemudaPaths paths = Caller.of(spec).paths();
    paths.requirePrivate();
    SqliteLibrary.useFrom(paths.cache());
    try (ServiceFolder folder = ServiceFolder.take(paths.state())) {
      Path aside =
          empty
              ? StateFileOperations.putAside(folder.path(), Clock.systemUTC().instant())
              : StateFileOperations.restore(
                  folder.path(), Caller.of(spec).absolute(file), Clock.systemUTC().instant());
      say(aside);
      return ServerCommandBase.OK;
    } catch (NoSuchFileException none) {
      throw new IOException(none.getFile() + " is missing: " + none.getReason(), none);
    } catch (FolderInUseException served) {
      throw new IOException(
          "a server uses " + paths.state() + ": remuda stop --keep ends it", served);
    } catch (StateInUseException served) {
      throw new IOException(served.getMessage() + ": remuda stop --keep ends it", served);
    } catch (StoreDamagedException damaged) {
      throw new IOException("nothing was changed: " + damaged.getMessage(), damaged);
    }
  }

  private void say(Path aside) {
    if (!quiet) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("the previous state is in " + aside);
      out.println(
          empty
              ? "the next server starts with an empty state; running tasks continue (remuda nodes"
                  + " lists them)"
              : "restored " + Caller.of(spec).absolute(file) + ": start it with remuda serve");
      out.flush();
    }
  }
}
