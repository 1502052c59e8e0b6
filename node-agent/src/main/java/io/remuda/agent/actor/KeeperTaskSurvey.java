package io.remuda.agent.actor;

import io.remuda.agent.keeper.TaskView;
import java.util.ArrayList;
import java.util.List;

/**
 * The way to a keeper's tasks: their folders are read before the keeper counts as joined. Used only
 * by the node agent's actor.
 */
final class KeeperTaskSurvey {

  private final NodeFileOperations files;

  /** Number of the current survey; results of earlier ones are ignored. */
  private long survey;

  /** Exits that the keeper reported during the survey, for tasks that are not known yet. */
  private final List<TaskView> exitedMeanwhile = new ArrayList<>();

  private boolean surveying;
  private boolean joined;

  KeeperTaskSurvey(NodeFileOperations files) {
    this.files = files;
  }

  /** Begins to read the folders of the keeper's tasks. */
  void begin(NodeAgentCommand.KeeperReady event) {
    surveying = true;
    files.survey(++survey, event);
  }

  /** Returns whether the result is that of the keeper that was joined last. */
  boolean isCurrent(NodeAgentCommand.Surveyed event) {
    return event.number() == survey;
  }

  /** Counts the keeper as joined; returns the tasks that have ended meanwhile. */
  List<TaskView> complete() {
    surveying = false;
    joined = true;
    List<TaskView> exited = List.copyOf(exitedMeanwhile);
    exitedMeanwhile.clear();
    return exited;
  }

  /** Returns whether an exit must wait until the folders are read; it is kept until then. */
  boolean defers(TaskView exited) {
    return surveying && exitedMeanwhile.add(exited);
  }

  /** Notes that the keeper is gone. */
  void away() {
    survey++;
    surveying = false;
    joined = false;
    exitedMeanwhile.clear();
  }

  /** Returns whether a keeper is joined. */
  boolean isJoined() {
    return joined;
  }
}
