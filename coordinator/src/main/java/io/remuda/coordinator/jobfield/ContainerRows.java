package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldDoc.ABOVE_ZERO;
import static io.remuda.coordinator.jobfield.FieldLimit.NAME;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

import java.util.List;
import java.util.Map;

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
}
