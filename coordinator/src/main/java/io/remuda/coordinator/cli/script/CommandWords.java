package io.remuda.coordinator.cli.script;

import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Takes the command with all words behind it, which are its own: {@code submit gcc -c x.c} has no
 * {@code --cpus}. Behind a job file options may follow.
 */
public final class CommandWords implements IParameterConsumer {

  /** Names of files that are read as job files if nothing follows them. */
  public static final String JOB_FILE = ".+\\.(ya?ml|json)";

  @Override
  public void consumeParameters(Stack<String> words, ArgSpec command, CommandSpec of) {
    List<String> taken = command.getValue();
    boolean file = taken.isEmpty() && words.peek().matches(JOB_FILE);
    do {
      taken.add(words.pop());
    } while (!file && !words.isEmpty());
  }
}
