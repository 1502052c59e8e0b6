package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.WAITING;

import java.util.Map;

/** What a task needs of its node, and which node gets it. */
public final class NeedsRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<Double> CPUS = ROWS.number("cpus", WAITING);
  public static final JobField<String> MEM = ROWS.text("mem", QUANTITY, WAITING);
  public static final JobField<Integer> GPUS = ROWS.integer("gpus", WAITING);
  public static final JobField<String> GPU_MEM = ROWS.text("gpuMem", QUANTITY, WAITING);
  public static final JobField<String> GPU_MODEL = ROWS.text("gpuModel", WORD, WAITING);
  public static final JobField<Map<String, String>> LABELS =
      ROWS.map("labels", new FieldLimit(100, WORD, WORD), WAITING);
  public static final JobField<String> POLICY = ROWS.text("policy", QUANTITY, ALWAYS);
  public static final JobField<Integer> PRIORITY = ROWS.integer("priority", ALWAYS);
  public static final JobField<Integer> PER_GPU = ROWS.integer("perGpu", WAITING);
  public static final JobField<Double> SHARE_IF = ROWS.number("shareIf", WAITING);
  public static final JobField<Boolean> EXCLUSIVE = ROWS.flag("exclusive", WAITING);

  private NeedsRows() {}
}
