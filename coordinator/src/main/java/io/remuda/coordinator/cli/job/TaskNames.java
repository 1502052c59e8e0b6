package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;

/** The names of a job's tasks for people: their number, or role and number in the role. */
final class TaskNames {

  private final List<String> ofRoles = new ArrayList<>();
  private final int width;

  /** Reads the roles of a job as the server shows it. */
  TaskNames(JsonNode job) {
    int longest = Integer.toString(job.path("tasks").asInt(1) - 1).length();
    for (JsonNode role : job.path("terms").path("members").path("roles")) {
      int tasks = role.path("count").asInt() * role.path("completions").asInt();
      for (int i = 0; i < tasks; i++) {
        ofRoles.add(role.path("name").asText() + "-" + i);
      }
    }
    for (String name : ofRoles) {
      longest = Math.max(longest, name.length());
    }
    width = longest;
  }

  /** Returns the name of a task. */
  String of(TaskId task) {
    return task.index() < ofRoles.size()
        ? ofRoles.get(task.index())
        : Integer.toString(task.index());
  }

  /** Returns the name in brackets, as wide as that of the other tasks. */
  String prefix(TaskId task) {
    String name = of(task);
    return "[" + name + "]" + " ".repeat(Math.max(0, width - name.length()));
  }
}
