package io.remuda.agent.freeze;

import io.remuda.agent.keeper.proc.ResourceShortageClassifier;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * An order whose command runs in a copy of a frozen tree, in its scratch folder.
 *
 * @param order with the copy as working folder
 * @param refusal why there is no copy; empty if there is one
 */
public record FrozenFilesTaskOrder(TaskStartOrder order, Optional<TaskEnd> refusal) {

  /** Variable with the folder of the submission, of which the working folder is a copy. */
  public static final String SUBMIT_DIR = "REMUDA_SUBMIT_DIR";

  private static final String FOLDER = "tree";
  private static final String PWD = "PWD";

  /** Returns whether an order is for a frozen tree. */
  public static boolean isFor(TaskStartOrder order) {
    return tree(order) != null;
  }

  /** Returns the path of the file with the tree of an order for one. */
  public static String archive(TaskStartOrder order) {
    return tree(order).archive();
  }

  private static FrozenTree tree(TaskStartOrder order) {
    return order.workload() instanceof CommandWorkload command && command.launch() != null
        ? command.launch().tree()
        : null;
  }

  /**
   * Makes the copy; blocks for as long as its files take.
   *
   * @param wanted see {@link TreeArchive#unpack}
   */
  static FrozenFilesTaskOrder of(TaskStartOrder order, Path scratch, BooleanSupplier wanted) {
    CommandWorkload command = (CommandWorkload) order.workload();
    FrozenTree tree = tree(order);
    String below = tree.below(command.folder());
    Path archive = Path.of(tree.archive());
    if (below == null || !Files.exists(archive)) {
      return refused(
          order,
          TaskEnd.Kind.CANNOT_START,
          below == null
              ? command.folder() + " is not in the frozen tree " + tree.root()
              : "this node does not see the frozen tree "
                  + archive
                  + ": it was removed, or give --node with nodes that share this folder");
    }
    Path copy = scratch.resolve(FOLDER);
    try {
      TreeArchive.unpack(archive, tree.hash(), Path.of(tree.root()), copy, wanted);
      return new FrozenFilesTaskOrder(
          order.with(in(command, copy.resolve(below))), Optional.empty());
    } catch (IOException | RuntimeException fault) {
      return refused(
          order,
          ResourceShortageClassifier.isOne(fault)
              ? TaskEnd.Kind.NO_ROOM
              : TaskEnd.Kind.CANNOT_START,
          "the frozen tree cannot be copied: " + fault.getMessage());
    }
  }

  /** Returns an order that is not started because nobody wants it any more. */
  static FrozenFilesTaskOrder cancelled(TaskStartOrder order) {
    return refused(order, TaskEnd.Kind.NOT_BEGUN, "its frozen tree was not copied any more");
  }

  /** Returns an order that is not started because the work has failed. */
  public static FrozenFilesTaskOrder failed(TaskStartOrder order, Throwable fault) {
    return refused(order, TaskEnd.Kind.NOT_BEGUN, "the frozen tree could not be copied: " + fault);
  }

  private static FrozenFilesTaskOrder refused(TaskStartOrder order, TaskEnd.Kind kind, String why) {
    return new FrozenFilesTaskOrder(order, Optional.of(TaskEnd.because(kind, why)));
  }

  private static CommandWorkload in(CommandWorkload command, Path folder) {
    Map<String, String> environment = new HashMap<>(command.environment());
    environment.put(SUBMIT_DIR, command.folder());
    environment.replace(PWD, folder.toString());
    return command.in(environment).inFolder(folder.toString());
  }
}
