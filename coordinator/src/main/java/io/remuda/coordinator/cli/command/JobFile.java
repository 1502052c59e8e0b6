package io.remuda.coordinator.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Jobs in a file: YAML, of which JSON is a part. The fields are those of the HTTP interface; a job
 * without {@code env} gets this shell's environment, and one without {@code workdir} the file's
 * folder.
 */
final class JobFile {

  private JobFile() {}

  /**
   * The submission that the file asks for.
   *
   * @throws IllegalArgumentException with line and column if it cannot be read
   */
  static Map<String, Object> read(Path path) throws IOException {
    Object root;
    try {
      root =
          new Load(LoadSettings.builder().setLabel(path.toString()).build())
              .loadFromString(Files.readString(path));
    } catch (MarkedYamlEngineException fault) {
      throw new IllegalArgumentException(path + where(fault) + fault.getProblem(), fault);
    } catch (YamlEngineException fault) {
      throw new IllegalArgumentException(path + ": " + fault.getMessage(), fault);
    }
    List<Map<String, Object>> jobs = new ArrayList<>();
    for (Object job : jobs(path, root)) {
      jobs.add(complete(path, job));
    }
    return Map.of("jobs", jobs);
  }

  private static String where(MarkedYamlEngineException fault) {
    return fault
        .getProblemMark()
        .map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": ")
        .orElse(": ");
  }

  private static List<?> jobs(Path path, Object root) {
    if (!(root instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(path + ":1:1: a job is a map of fields, or jobs: [...]");
    }
    if (!map.containsKey("jobs")) {
      return List.of(map);
    }
    if (!(map.get("jobs") instanceof List<?> list) || map.size() != 1) {
      throw new IllegalArgumentException(path + ": jobs is a list, and stands alone");
    }
    return list;
  }

  private static Map<String, Object> complete(Path path, Object job) {
    if (!(job instanceof Map<?, ?> fields)) {
      throw new IllegalArgumentException(path + ": a job is a map of fields, got '" + job + "'");
    }
    Map<String, Object> complete = new LinkedHashMap<>();
    fields.forEach((key, value) -> complete.put(String.valueOf(key), value));
    complete.putIfAbsent("env", System.getenv());
    Path folder = path.toAbsolutePath().normalize().getParent();
    complete.putIfAbsent("workdir", folder.toString());
    return complete;
  }
}
