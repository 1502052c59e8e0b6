package io.remuda.coordinator.jobfield;

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

  public static final JobField<String> CONTAINER = ROWS.text("container", PATH, ALWAYS);
  public static final JobField<String> ENGINE = IN_CONTAINER.text("engine", QUANTITY, ALWAYS);
  public static final JobField<List<String>> MOUNTS =
      IN_CONTAINER.texts("mounts", 1000, 2 * PATH + "::ro".length(), ALWAYS);
  public static final JobField<List<String>> PORTS =
      IN_CONTAINER.texts("ports", 1000, QUANTITY, ALWAYS);
  public static final JobField<String> SHM_SIZE = IN_CONTAINER.text("shmSize", QUANTITY, ALWAYS);
  public static final JobField<Double> CPU_LIMIT = IN_CONTAINER.number("cpuLimit", ALWAYS);
  public static final JobField<Boolean> PULL = IN_CONTAINER.flag("pull", ALWAYS);
  public static final JobField<List<String>> CONTAINER_ENV =
      IN_CONTAINER.texts("containerEnv", 10_000, NAME, ALWAYS);

  public static final List<JobField<?>> ALL = ROWS.fields();

  private ContainerRows() {}
}
