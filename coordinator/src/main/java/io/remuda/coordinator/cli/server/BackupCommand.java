package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.store.SqliteLibrary;
import io.remuda.coordinator.store.StateFileOperations;
import io.remuda.coordinator.store.StateFileOperations.Existing;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the state of the job service to a file. */
@Command(
    name = "backup",
    description =
        "Copies the state of the job service to a file and checks the copy: jobs, tasks, users"
            + " and profiles, but no task output. A server may be running.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class BackupCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "file to create, readable only by its owner")
  private Path file;

  @Option(names = "--force", description = "replace an existing file")
  private boolean force;

  @Option(
      names = {"-q", "--quiet"},
      description = "print nothing")
  private boolean quiet;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Caller caller = Caller.of(spec);
    Path target = caller.absolute(file);
    RemudaPaths paths = caller.paths();
    paths.requirePrivate();
    SqliteLibrary.useFrom(paths.cache());
    try {
      StateFileOperations.backUp(paths.state(), target, force ? Existing.REPLACE : Existing.REFUSE);
    } catch (FileAlreadyExistsException there) {
      throw new IOException(target + " exists: --force replaces it", there);
    } catch (StoreDamagedException damaged) {
      throw new IOException(
          "nothing was copied: " + damaged.getMessage() + "; see remuda restore --help", damaged);
    }
    if (!quiet) {
      spec.commandLine().getOut().println("wrote " + target);
      spec.commandLine().getOut().flush();
    }
    return ServerCommandBase.OK;
  }
}
