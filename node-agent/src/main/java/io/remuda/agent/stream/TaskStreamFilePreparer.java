package io.remuda.agent.stream;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.stream.StreamPathVariables;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the files and links in a task's folder that the keeper opens as the task's streams: {@value
 * #INPUT}, {@value #OUTPUT} and {@value #ERROR}. Blocks while a disk hangs.
 */
public final class TaskStreamFilePreparer {

  /** Name of the file, link or pipe for stdin; without one it is {@code /dev/null}. */
  public static final String INPUT = "in";

  private static final String OUTPUT = "out";
  private static final String ERROR = "err";
  private static final int READ_AND_WRITE = 0666;

  private final Path taskFolder;
  private final TaskStreamPaths paths;
  private final StandardStreamTerms terms;
  private final CommandWorkload command;
  private final TaskStartOrder order;

  private TaskStreamFilePreparer(
      TaskStartOrder order, CommandWorkload command, Path taskFolder, String node) {
    this.taskFolder = taskFolder;
    this.paths = new TaskStreamPaths(order, command.folder(), node);
    this.terms = command.streams();
    this.command = command;
    this.order = order;
  }

  /**
   * Makes them in the folder of an attempt.
   *
   * @param node name of this node
   * @throws StreamFileRefusedException if a file that the user has named cannot be used
   */
  public static void prepare(
      TaskStartOrder order, CommandWorkload command, Path folder, String node) throws IOException {
    if (command.streams() != null) {
      TaskStreamFilePreparer files = new TaskStreamFilePreparer(order, command, folder, node);
      files.prepareInput();
      files.prepareOutput();
    }
  }

  private void prepareInput() throws IOException {
    Path input = taskFolder.resolve(INPUT);
    if (terms.inputData() != null) {
      Files.deleteIfExists(input);
      Files.createFile(input, PosixFilePermissions.asFileAttribute(rights(0600)));
      Files.write(input, Base64.getDecoder().decode(terms.inputData()));
    } else if (terms.input() != null) {
      Path file = paths.of(terms.input());
      if (!Files.exists(file)) {
        throw refused("stdin", file, "is not there");
      }
      if (Files.isDirectory(file) || !Files.isReadable(file)) {
        throw refused("stdin", file, "cannot be read");
      }
      link(input, file);
    }
  }

  private void prepareOutput() throws IOException {
    if (terms.output() == null && terms.error() == null) {
      return;
    }
    Optional<Long> optional = terms.outputOptional() ? prepareOptional() : Optional.of(0L);
    String output = optional.isPresent() ? terms.output() : null;
    long outFrom =
        output == null || terms.outputOptional()
            ? optional.orElse(0L)
            : prepareOutput("output", output, OUTPUT);
    long errFrom = terms.error() == null ? 0 : prepareOutput("error", terms.error(), ERROR);
    boolean merged = output != null && terms.error() == null;
    if (merged) {
      link(taskFolder.resolve(ERROR), paths.of(output));
    }
    boolean same =
        terms.error() != null && output != null && paths.of(terms.error()).equals(paths.of(output));
    if (output != null || terms.error() != null) {
      new OutputDestinationRecord(
              outFrom, errFrom, merged || same, ofAllTasks(output), ofAllTasks(terms.error()))
          .write(taskFolder);
    }
  }

  /**
   * Makes a file that nobody has chosen; empty if that is not possible. The task runs all the same,
   * with a line in its own stderr, as on a node that does not see the folder of the submission.
   */
  private Optional<Long> prepareOptional() throws IOException {
    Path file = paths.of(terms.output());
    try {
      if (!Files.isDirectory(file.getParent())) {
        throw refused("output", file, "is in a folder that is not there");
      }
      if (file.getParent().toFile().getUsableSpace() == 0) {
        throw refused("output", file, "is on a disk without free space");
      }
      return Optional.of(prepareOutput("output", terms.output(), OUTPUT));
    } catch (IOException | RuntimeException no) { // a path may not be encodable in this locale
      unlink(taskFolder.resolve(OUTPUT));
      unlink(taskFolder.resolve(ERROR));
      Path own = taskFolder.resolve(ERROR);
      String why = no instanceof StreamFileRefusedException ? no.getMessage() : no.toString();
      OutputDestinationRecord.noteKept(taskFolder, why);
      if (terms.error() == null && !Files.exists(own)) {
        Files.writeString(own, "remuda: this task's output is in remuda logs alone: " + why + "\n");
      }
      return Optional.empty();
    }
  }

  /** Removes what an earlier preparation has made. */
  private static void unlink(Path link) throws IOException {
    if (Files.isSymbolicLink(link)) {
      Files.delete(link);
    }
  }

  /** Returns the path that a pattern has for all tasks, null if each has its own. */
  private String ofAllTasks(String pattern) {
    return pattern != null && paths.isOfAllTasks(pattern) ? paths.of(pattern).toString() : null;
  }

  /** Makes the user's file and a link to it; returns its size. */
  private long prepareOutput(String what, String pattern, String name) throws IOException {
    Path file = paths.of(pattern);
    makeFolder(what, file);
    if (Files.isDirectory(file) || (Files.exists(file) && !Files.isWritable(file))) {
      throw refused(what, file, "cannot be written");
    }
    create(what, file);
    boolean regular = Files.isRegularFile(file);
    if (!regular && !file.equals(Path.of("/dev/null"))) {
      throw refused(what, file, "is no file");
    }
    boolean first = order.triesBefore() == 0;
    if (regular && first && !terms.append() && !paths.isOfAllTasks(pattern)) {
      Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
          .close();
    }
    link(taskFolder.resolve(name), file);
    return regular ? Files.size(file) : 0;
  }

  private void makeFolder(String what, Path file) throws IOException {
    try {
      Files.createDirectories(file.getParent());
    } catch (IOException fault) {
      throw refused(what, file, "is in a folder that cannot be made: " + fault.getMessage());
    }
  }

  private void create(String what, Path file) throws IOException {
    try {
      Files.createFile(file);
      Files.setPosixFilePermissions(file, rights(READ_AND_WRITE & ~command.umask()));
    } catch (FileAlreadyExistsException there) {
      // it keeps its permissions
    } catch (IOException fault) {
      throw refused(what, file, "cannot be written: " + fault.getMessage());
    }
  }

  private static Set<PosixFilePermission> rights(int mode) {
    Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values(); // from the owner's read on
    for (int i = 0; i < all.length; i++) {
      if ((mode & (0400 >> i)) != 0) {
        rights.add(all[i]);
      }
    }
    return rights;
  }

  private static void link(Path link, Path file) throws IOException {
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(link); // of an earlier preparation
    }
    Files.createSymbolicLink(link, file);
  }

  private StreamFileRefusedException refused(String what, Path file, String why) {
    return new StreamFileRefusedException(
        what + " " + file + " " + why + " (on " + paths.node() + ")");
  }

  /**
   * The paths that a user has given for the streams of a task, with the properties of the task in
   * place of their percent signs, and its parameters in place of names in braces.
   *
   * @param order what runs
   * @param folder absolute working folder
   * @param node name of this node
   */
  private record TaskStreamPaths(TaskStartOrder order, String folder, String node) {

    /** Returns the absolute path. */
    Path of(String given) {
      return Path.of(folder).resolve(properties().in(given)).normalize();
    }

    /** Returns whether a path is that of all tasks of the job on this node. */
    boolean isOfAllTasks(String pattern) {
      return order.job().tasks() > 1
          && StandardStreamTerms.isOfAllTasks(pattern)
          && properties().filled(pattern).equals(pattern);
    }

    private StreamPathVariables properties() {
      return order.pathVariables(node);
    }
  }
}
