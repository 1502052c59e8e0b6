package io.remuda.agent.commandline;

import io.remuda.agent.settings.RemudaPaths;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Who calls a command: the shell that has started this process, or a program that runs a command
 * within its own process. All that a command knows of its surroundings comes from here. Any thread.
 */
public interface Caller {

  /**
   * Returns the caller of a command: that of its root command, or this process if the root is no
   * {@link CalledProgram}, as for a command that is parsed alone.
   *
   * @param spec the command, or options that it has as its own
   */
  static Caller of(CommandSpec spec) {
    CommandLine line = spec.commandLine(); // options within options know no other command
    CommandSpec command = line == null ? spec : line.getCommandSpec();
    return command.root().userObject() instanceof CalledProgram program
        ? program.caller()
        : new OwnProcess();
  }

  /**
   * Returns all variables with exactly their bytes.
   *
   * @throws io.remuda.agent.settings.NotUtf8Exception if one is not UTF-8
   */
  Map<String, String> environment();

  /** Returns all variables as Java has decoded them, for terminal output. */
  Map<String, String> readEnvironment();

  /**
   * Returns one variable; empty if it is not set.
   *
   * @throws io.remuda.agent.settings.NotUtf8Exception if its value is not UTF-8
   */
  Optional<String> variable(String name);

  /**
   * Returns the absolute path of the working folder, as text with exactly its bytes.
   *
   * @throws io.remuda.agent.settings.NotUtf8Exception if it is not UTF-8
   */
  String folder();

  /**
   * Returns a path by which this process finds a file that the caller has named relative to its own
   * working folder. Messages show the path as it was typed.
   */
  Path resolve(Path typed);

  /** Returns the absolute path of a file that the caller has named. */
  Path absolute(Path typed);

  /** Returns the caller's folders for state and reproducible data. */
  RemudaPaths paths();

  /** Returns standard input, not buffered. */
  InputStream in();

  /**
   * Returns whether somebody may have given the command an input that is meant for it: it is
   * neither a terminal nor empty, nor closed.
   */
  boolean hasInput();

  /** Returns the file that standard input is, with its position; empty if it is no file. */
  Optional<FileChannel> inputFile();

  /** Returns standard output; nobody closes it. */
  PrintStream out();

  /** Returns standard error; nobody closes it. */
  PrintStream err();

  /** Returns the charset of text on both outputs. */
  Charset charset();

  /**
   * Returns whether the caller has started this process for this command: the streams are file
   * descriptors 0 to 2, which may be a terminal, and the process ends with the command. If not, the
   * command leaves nothing behind when it returns, and there is no terminal.
   */
  boolean isOwnProcess();

  /**
   * Gives a child process, before it starts, the caller's environment, and the caller's folder
   * unless it has another one. Its program is looked up in the caller's {@code PATH}.
   */
  void passTo(ProcessBuilder child);

  /** Returns what a command may do to the process that it runs in. */
  ProcessControl process();
}
