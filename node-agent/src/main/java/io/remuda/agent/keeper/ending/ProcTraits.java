package io.remuda.agent.keeper.ending;

import io.remuda.agent.keeper.proc.ContainerInitSigtermCheck;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The traits of processes by {@code /proc/PID}. What a process is follows from its executable: the
 * name of a script, or one that a process has given itself, says nothing.
 */
public final class ProcTraits implements ProcessTraits {
  private static final int SIGQUIT = 3;

  private static final Pattern SHELL =
      Pattern.compile(
          "(r?bash|dash|ash|hush|r?zsh|r?ksh(93)?|mksh|lksh|oksh|pdksh|yash|posh|(bsd-)?csh|tcsh"
              + "|fish)([-._]?\\d[\\d.]*)?(-static)?");

  /** The system's shell where it is no link to another one. */
  private static final Set<String> SYSTEM_SHELL =
      Set.of("/bin/sh", "/usr/bin/sh", "/system/bin/sh");

  private static final Set<String> LAUNCHERS =
      Set.of("timeout", "time", "flock", "setsid", "unshare", "nsenter", "tini", "dumb-init");

  /** Open MPI's mpirun: soon after it is asked it kills its ranks, whatever grace the task has. */
  private static final String RANK_STARTER = "orterun";

  /** By this it has ranks on other nodes, which end unasked if it ends. */
  private static final String REMOTE_SHELL = "ssh";

  /** Programs that are many; the first word of their command says which. */
  private static final Set<String> MANY = Set.of("busybox", "toybox", "coreutils");

  /** Name of the script that stands in for Slurm's. */
  private static final String STEP_LAUNCHER = "srun";

  private static final String DELETED = " (deleted)";

  @Override
  public Kind kind(ProcStat process) {
    String file = program(process.pid());
    String name = last(file);
    if (MANY.contains(name)) {
      return kind(ofMany(name, ProcFiles.words(process.pid())), true);
    }
    if (name.equals(RANK_STARTER)) {
      return isOnThisNode(process.pid()) ? Kind.LAUNCHER : Kind.PROGRAM;
    }
    return kind(name, SYSTEM_SHELL.contains(file));
  }

  private static boolean isOnThisNode(int pid) {
    List<Integer> children = ProcFiles.children(pid);
    return children != null
        && children.stream().noneMatch(child -> last(program(child)).equals(REMOTE_SHELL));
  }

  /**
   * Returns what a program of this name is.
   *
   * @param system whether {@code sh} is the system's
   */
  static Kind kind(String name, boolean system) {
    if (LAUNCHERS.contains(name)) {
      return Kind.LAUNCHER;
    }
    boolean shell = SHELL.matcher(name).matches() || (system && name.equals("sh"));
    return shell ? Kind.SHELL : Kind.PROGRAM;
  }

  /** Returns the file of its program, or its name if that cannot be read; empty if it is gone. */
  private static String program(int pid) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe")).toString();
      return file.endsWith(DELETED) ? file.substring(0, file.length() - DELETED.length()) : file;
    } catch (IOException goneOrOfAnother) {
      return ProcFiles.command(pid);
    }
  }

  /** Returns which one of many programs runs, by the words of its command. */
  static String ofMany(String name, List<String> words) {
    String first = words.isEmpty() ? "" : last(words.get(0));
    first = first.startsWith("-") ? first.substring(1) : first; // a login shell
    return first.equals(name) && words.size() > 1 ? last(words.get(1)) : first;
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public boolean handles(ProcStat process, int signal) {
    String status = ProcFiles.status(process.pid());
    boolean caught = has(status, "SigCgt:", signal);
    // dash blocks all signals for the moment in which it starts a command
    return caught || (has(status, "SigBlk:", signal) && kind(process) == Kind.PROGRAM);
  }

  @Override
  public boolean isDeaf(ProcStat process) {
    return ContainerInitSigtermCheck.isInit(process.pid());
  }

  @Override
  public boolean isInForeground(ProcStat process) {
    return !has(ProcFiles.status(process.pid()), "SigIgn:", SIGQUIT);
  }

  @Override
  public boolean isStepLauncher(ProcStat process) {
    if (kind(process) != Kind.SHELL) {
      return false;
    }
    return ProcFiles.words(process.pid()).stream()
        .skip(1) // the shell
        .filter(word -> !word.startsWith("-"))
        .findFirst()
        .filter(script -> last(script).equals(STEP_LAUNCHER))
        .isPresent();
  }

  /** Returns whether a signal is in a mask of a status file. */
  static boolean has(String status, String mask, int signal) {
    int from = status.indexOf("\n" + mask);
    int to = from < 0 ? -1 : status.indexOf('\n', from + 1);
    if (to < 0) {
      return false;
    }
    String hexadecimal = status.substring(from + 1 + mask.length(), to).strip();
    return (Long.parseUnsignedLong(hexadecimal, 16) & 1L << (signal - 1)) != 0;
  }
}
