package io.remuda.coordinator.main;

import io.remuda.agent.commandline.EmbeddedCaller;
import io.remuda.coordinator.cli.command.RootCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The command line {@code remuda} as a function, for Java programs that contain Remuda. Nothing of
 * the program's own environment, working folder, streams, signals and system session is read or
 * changed, so several commands may run at the same time, on a thread each.
 */
public final class RemudaProgram {

  private RemudaProgram() {}

  /**
   * Runs a command on the calling thread and returns its exit code when it has ended, as after
   * {@code remuda ARGUMENTS}: 0 for success, 1 for a failure, 2 for bad usage. What goes wrong is
   * said on {@code err}; nothing is thrown.
   *
   * <p>A server ({@code serve}) runs until {@code remuda stop}, or until the calling thread is
   * interrupted, and its tasks run on; other commands end early with a failure if their thread is
   * interrupted. Only what is for people at a terminal is missing: questions, bars, {@code top} as
   * a screen, {@code attach} without a command and {@code run --pty}.
   *
   * @param arguments without the word {@code remuda}
   * @param environment all variables that the command sees, and passes to jobs and programs: {@code
   *     REMUDA_HOME} or {@code HOME} says which server is meant, {@code PATH} where programs such
   *     as git, ssh and java are
   * @param folder the working folder, below which relative paths of the arguments are
   * @param in standard input; null for none, as {@code /dev/null} is. A command that passes it on
   *     to a job reads ahead: up to 64 KiB that the job has not read may be gone when it has ended,
   *     and a read that waits then is left waiting on a thread of its own
   * @param out standard output: text in UTF-8, and the output of jobs as it is; flushed, not closed
   * @param err standard error, likewise
   */
  public static int run(
      List<String> arguments,
      Map<String, String> environment,
      Path folder,
      InputStream in,
      OutputStream out,
      OutputStream err) {
    return RootCommand.execute(
        arguments.toArray(String[]::new), new EmbeddedCaller(environment, folder, in, out, err));
  }
}
