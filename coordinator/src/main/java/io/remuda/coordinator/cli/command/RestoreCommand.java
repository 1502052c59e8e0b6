package io.remuda.coordinator.cli.command;

import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.service.FolderInUse;
import io.remuda.coordinator.service.ServiceFolder;
import io.remuda.coordinator.store.SqliteLibrary;
import io.remuda.coordinator.store.StateFiles;
import io.remuda.coordinator.store.StateInUse;
import io.remuda.coordinator.store.StoreDamaged;
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

/** Puts a copy of the state in place of what is there, or nothing. */
@Command(
    name = "restore",
    description = {
      "Puts a backup in the place of the state of the job service, while no server runs. What is"
          + " there is kept aside in a folder state-before-TIME.",
      "Tasks that have begun since the backup run on; the server lists them with remuda nodes,"
          + " ends none of them, and starts those of their jobs that it knows again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RestoreCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "a backup, or a state file with its log beside it; state.db of this folder itself for"
              + " what is left of it")
  private Path file;

  @Option(names = "--empty", description = "no backup: the next server begins anew")
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
          spec.commandLine(), "give the FILE of a backup, or --empty to begin anew");
    }
    RemudaPaths paths = RemudaPaths.current();
    paths.requirePrivate();
    SqliteLibrary.useFrom(paths.cache());
    try (ServiceFolder folder = ServiceFolder.take(paths.state())) {
      Path aside =
          empty
              ? StateFiles.putAside(folder.path(), Clock.systemUTC().instant())
              : StateFiles.restore(
                  folder.path(), file.toAbsolutePath(), Clock.systemUTC().instant());
      say(aside);
      return RestCommand.OK;
    } catch (NoSuchFileException none) {
      throw new IOException(none.getFile() + " is missing: " + none.getReason(), none);
    } catch (FolderInUse served) {
      throw new IOException(
          "a server uses " + paths.state() + ": remuda stop --keep ends it", served);
    } catch (StateInUse served) {
      throw new IOException(served.getMessage() + ": remuda stop --keep ends it", served);
    } catch (StoreDamaged damaged) {
      throw new IOException("nothing was changed: " + damaged.getMessage(), damaged);
    }
  }

  private void say(Path aside) {
    if (!quiet) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("what was there is in " + aside);
      out.println(
          empty
              ? "the next server begins anew; what runs, runs on (remuda nodes lists it)"
              : "restored " + file.toAbsolutePath() + ": start it with remuda serve");
      out.flush();
    }
  }
}
