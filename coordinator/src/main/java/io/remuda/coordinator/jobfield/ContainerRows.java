package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldDoc.ABOVE_ZERO;
import static io.remuda.coordinator.jobfield.FieldLimit.NAME;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What puts the tasks of a job into containers. */
public final class ContainerRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup IN_CONTAINER = ROWS.beside(Map.of("container", "image"));

  public static final JobField<String> CONTAINER =
      ROWS.option(
              "--container IMAGE",
              "run it in a container of this image, or of a root file system's folder as ./rootfs"
                  + " (docs/containers.md)")
          .text("container", PATH, ALWAYS);
  public static final JobField<String> ENGINE =
      IN_CONTAINER
          .option(
              "--engine NAME",
              "podman, docker, apptainer or bubblewrap (default: what the node has)")
          .says("What runs the container; what the node has unless given.")
          .words("podman", "docker", "apptainer", "bubblewrap")
          .text("engine", QUANTITY, ALWAYS);
  public static final JobField<List<String>> MOUNTS =
      IN_CONTAINER
          .says("What the container sees of the node besides workdir, as SRC[:DST[:ro]].")
          .option(
              "--mount SRC[:DST[:ro]]...",
              "a file or folder that the container sees; may be repeated")
          .texts("mounts", 1000, 2 * PATH + "::ro".length(), ALWAYS);
  public static final JobField<List<String>> PORTS =
      IN_CONTAINER
          .option(
              "--port HOST:CONTAINER...",
              "a port of the node that leads to the container; may be repeated")
          .says("Ports of the node that lead to the container, as HOST:CONTAINER.")
          .texts("ports", 1000, QUANTITY, ALWAYS);
  public static final JobField<String> SHM_SIZE =
      IN_CONTAINER
          .option("--shm-size SIZE", "size of /dev/shm in the container, such as 8GiB")
          .text("shmSize", QUANTITY, ALWAYS);
  public static final JobField<Double> CPU_LIMIT =
      IN_CONTAINER
          .option("--cpu-limit C", "cores that the container uses at most")
          .number("cpuLimit", ABOVE_ZERO, Integer.MAX_VALUE, ALWAYS);
  public static final JobField<Boolean> PULL =
      IN_CONTAINER
          .option("--pull", "let the engine fetch an image that the node lacks")
          .flag("pull", ALWAYS);
  public static final JobField<List<String>> CONTAINER_ENV =
      IN_CONTAINER
          .says(
              "Names of variables that the container gets although they describe the machine of the"
                  + " submission, as PATH, or direct an engine, as DOCKER_HOST; in a job file those"
                  + " of env unless given.")
          .texts("containerEnv", 10_000, NAME, ALWAYS);

  public static final List<JobField<?>> ALL = ROWS.fields();

  private ContainerRows() {}

  /**
   * Returns the terms, null for a job without a container.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static ContainerTerms terms(FieldValues values) {
    if (!values.has(CONTAINER)) {
      values.refuseWithout(CONTAINER, "a container");
      return null;
    }
    String image = values.get(CONTAINER);
    if (image.startsWith("./") || image.startsWith("../")) {
      throw new IllegalArgumentException(
          "container must be an image or an absolute path, got " + ShortenedValues.quoted(image));
    }
    return new ContainerTerms(
        image,
        values.get(ENGINE),
        each(values, MOUNTS, ContainerTerms.Mount::parse),
        each(values, PORTS, ContainerTerms.Port::parse),
        values.positive(SHM_SIZE, SizeAndTimeParser::bytes),
        cpuLimit(values),
        values.or(PULL, false),
        variables(values));
  }

  private static Set<String> variables(FieldValues values) {
    Set<String> names = new HashSet<>(values.or(CONTAINER_ENV, List.of()));
    names.remove(SbatchScriptVariables.FILES); // for the server alone
    return Set.copyOf(names);
  }

  private static double cpuLimit(FieldValues values) {
    double most = values.or(CPU_LIMIT, 0.0);
    if (values.has(CPU_LIMIT) && !(most > 0)) {
      throw new IllegalArgumentException("cpuLimit must be above 0, got " + most);
    }
    return most;
  }

  private static <T> List<T> each(
      FieldValues values, JobField<List<String>> field, Function<String, T> reader) {
    try {
      return values.or(field, List.of()).stream().map(reader).toList();
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(field.name() + ": " + wrong.getMessage(), wrong);
    }
  }
}
