package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.sweep.IndexRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of a job's tasks for people: their number, which is the rank of a gang's member, with
 * roles the role and the number in it, and of an array the array index if it is another number.
 * Beside other jobs, the number of the job is before it.
 */
public final class TaskNames {

  /** Whether the tasks of other jobs are shown in between. */
  public enum Beside {
    NOTHING,
    OTHER_JOBS
  }

  private final List<String> ofRoles = new ArrayList<>();
  private final Beside beside;
  private final IndexRanges indices;
  private final int width;
  private final boolean commonOutput;

  /** Reads the roles of a job as the server shows it. */
  public TaskNames(JsonNode job, Beside beside) {
    this.beside = beside;
    String given = job.path("terms").path("array").path("indices").asText("");
    this.indices = given.isEmpty() ? null : IndexRanges.parse(given);
    for (JsonNode role : job.path("terms").path("members").path("roles")) {
      int tasks = role.path("count").asInt() * role.path("completions").asInt();
      for (int i = 0; i < tasks; i++) {
        ofRoles.add(" " + role.path("name").asText() + "-" + i);
      }
    }
    TaskId last = TaskId.parse(job.path("id").asText() + "." + (job.path("tasks").asInt(1) - 1));
    int longest = (number(last) + (indices == null ? "" : words(indices.greatest()))).length();
    for (int i = 0; i < ofRoles.size(); i++) {
      longest = Math.max(longest, of(new TaskId(last.job(), i)).length());
    }
    width = longest;
    String output = job.path("workload").path("streams").path("output").asText("");
    boolean mayDiffer =
        output.indexOf('{') >= 0 && !job.path("terms").path("array").path("sweep").isEmpty();
    commonOutput = !output.isEmpty() && !mayDiffer && StandardStreamTerms.isOfAllTasks(output);
  }

  private String number(TaskId task) {
    return beside == Beside.OTHER_JOBS ? task.toString() : Integer.toString(task.index());
  }

  /** Returns the name of a task. */
  String of(TaskId task) {
    String role = task.index() < ofRoles.size() ? ofRoles.get(task.index()) : "";
    boolean known = indices != null && task.index() < indices.size();
    return number(task) + role + (known ? words(indices.get(task.index())) : "");
  }

  private static String words(int arrayIndex) {
    return " (index " + arrayIndex + ")";
  }

  /** Returns the name in brackets and a space, as wide as that of the other tasks. */
  String prefix(TaskId task) {
    String name = of(task);
    return "[" + name + "] " + " ".repeat(Math.max(0, width - name.length()));
  }

  /** Returns what precedes a line of a stream: nothing if the lines may be of any task. */
  String prefix(TaskId task, OutputStreamName stream) {
    return commonOutput && stream == OutputStreamName.OUT ? "" : prefix(task);
  }
}
