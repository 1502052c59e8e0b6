package io.remuda.coordinator.schedule.mix;

import io.remuda.worker.job.GpuShare;
import java.util.Map;

/** What shapes need of GPUs. Many shapes that differ in cores and memory have the same demand. */
record GpuDemand(int gpus, GpuShare share, String gpuModel, Map<String, String> labels) {

  static GpuDemand of(TaskShape shape) {
    return new GpuDemand(shape.gpus(), shape.share(), shape.gpuModel(), shape.labels());
  }

  TaskShape shape() {
    return new TaskShape(0, 0, gpus, share, gpuModel, labels);
  }
}
