package io.remuda.coordinator.cli.jobfile;

import java.util.List;

/** The paths in a job's fields for its container; relative ones are below the file's folder. */
final class ContainerPathResolver {

  private ContainerPathResolver() {}

  /** Returns the value of any field, with its relative paths below a folder. */
  static Object below(String folder, String field, Object value) {
    if (field.equals("container") && value instanceof String image) {
      return image.startsWith("./") || image.startsWith("../") ? folder + "/" + image : image;
    }
    if (field.equals("mounts") && value instanceof List<?> mounts) {
      return mounts.stream().map(mount -> mount(folder, (String) mount)).toList();
    }
    return value;
  }

  private static String mount(String folder, String text) {
    return text.isEmpty() || text.startsWith("/") || text.startsWith(":")
        ? text
        : folder + "/" + text;
  }
}
