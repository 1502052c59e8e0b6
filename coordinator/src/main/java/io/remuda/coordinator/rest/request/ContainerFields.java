package io.remuda.coordinator.rest.request;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The fields of a {@link JobRequest} that put a job into a container. */
final class ContainerFields {

  private final JobRequest request;

  ContainerFields(JobRequest request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for a job without a container.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  ContainerTerms terms() {
    if (request.container() == null) {
      checkNothingStated();
      return null;
    }
    String image = request.container();
    if (image.startsWith("./") || image.startsWith("../")) {
      throw new IllegalArgumentException(
          "container must be an image or an absolute path, got " + ShortenedValues.quoted(image));
    }
    return new ContainerTerms(
        image,
        request.engine(),
        each("mounts", request.mounts(), ContainerTerms.Mount::parse),
        each("ports", request.ports(), ContainerTerms.Port::parse),
        request.shmSize() == null
            ? 0
            : JobRequest.positive("shmSize", request.shmSize(), SizeAndTimeParser::bytes),
        cpuLimit(),
        JobRequest.or(request.pull(), false),
        variables());
  }

  private Set<String> variables() {
    Set<String> names = new HashSet<>(JobRequest.or(request.containerEnv(), List.of()));
    names.remove(SbatchScriptVariables.FILES); // for the server alone
    return Set.copyOf(names);
  }

  private double cpuLimit() {
    Double most = request.cpuLimit();
    if (most != null && !(most > 0)) {
      throw new IllegalArgumentException("cpuLimit must be above 0, got " + most);
    }
    return JobRequest.or(most, 0.0);
  }

  private static <T> List<T> each(String name, List<String> texts, Function<String, T> reader) {
    try {
      return JobRequest.or(texts, List.<String>of()).stream().map(reader).toList();
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(name + ": " + wrong.getMessage(), wrong);
    }
  }

  private void checkNothingStated() {
    boolean stated =
        request.engine() != null
            || request.mounts() != null
            || request.ports() != null
            || request.shmSize() != null
            || request.cpuLimit() != null
            || request.pull() != null
            || request.containerEnv() != null;
    if (stated) {
      throw new IllegalArgumentException(
          "engine, mounts, ports, shmSize, cpuLimit, pull and containerEnv want a container");
    }
  }
}
