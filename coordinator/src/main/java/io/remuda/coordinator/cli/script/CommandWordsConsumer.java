package io.remuda.coordinator.cli.script;

import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Takes the command with all words behind it, which are its own: {@code submit gcc -c x.c} has no
 * {@code --cpus}. Behind a job file, and the job of {@code resubmit}, options may follow.
 */
public final class CommandWordsConsumer implements IParameterConsumer {

  /** Names of files that are read as job files if nothing follows them. */
  public static final String JOB_FILE = ".+\\.(ya?ml|json)";

  @Override
  public void consumeParameters(Stack<String> words, ArgSpec command, CommandSpec of) {
    List<String> taken = command.getValue();
    boolean alone = taken.isEmpty() && (isJob(of) || words.peek().matches(JOB_FILE));
    do {
      taken.add(words.pop());
    } while (!alone && !words.isEmpty());
  }

  /** Returns whether the first word is a job, whose command is known already. */
  private static boolean isJob(CommandSpec of) {
    return of.name().equals("resubmit");
  }
}
