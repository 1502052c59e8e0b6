package io.remuda.coordinator.rest.request;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The fields of a {@link JobRequest} that put a job into a container. */
final class ContainerFields {

  private final FieldValues request;

  ContainerFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for a job without a container.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  ContainerTerms terms() {
    if (!request.has(ContainerRows.CONTAINER)) {
      JobRequest.refuseWithout(ContainerRows.CONTAINER, "a container", request);
      return null;
    }
    String image = request.get(ContainerRows.CONTAINER);
    if (image.startsWith("./") || image.startsWith("../")) {
      throw new IllegalArgumentException(
          "container must be an image or an absolute path, got " + ShortenedValues.quoted(image));
    }
    return new ContainerTerms(
        image,
        request.get(ContainerRows.ENGINE),
        each("mounts", request.get(ContainerRows.MOUNTS), ContainerTerms.Mount::parse),
        each("ports", request.get(ContainerRows.PORTS), ContainerTerms.Port::parse),
        !request.has(ContainerRows.SHM_SIZE)
            ? 0
            : JobRequest.positive(
                "shmSize", request.get(ContainerRows.SHM_SIZE), SizeAndTimeParser::bytes),
        cpuLimit(),
        request.or(ContainerRows.PULL, false),
        variables());
  }

  private Set<String> variables() {
    Set<String> names = new HashSet<>(request.or(ContainerRows.CONTAINER_ENV, List.of()));
    names.remove(SbatchScriptVariables.FILES); // for the server alone
    return Set.copyOf(names);
  }

  private double cpuLimit() {
    Double most = request.get(ContainerRows.CPU_LIMIT);
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
}
