package io.remuda.coordinator.schedule.mix;

/**
 * How many cores tasks need beside their GPUs.
 *
 * @param slack cores per GPU that the cluster has, divided by those that all tasks of the mix ask
 *     for, in sixteenths, so that it rarely changes; from 0.5 to 2, 1 if that is not known
 * @param milliPerGpu thousandths of a core per GPU that the tasks with GPUs ask for
 */
record CoreDemand(double slack, double milliPerGpu) {

  private static final double MOST_SLACK = 2;
  private static final double STEPS = 16;

  static CoreDemand of(TaskMix mix, ClusterRoom.Capacity cluster) {
    long cpus = cluster.milliCpus();
    long gpus = cluster.gpus();
    long memory = cluster.gpuMemory();
    double asked = 0;
    double besideGpus = 0;
    double gpusAsked = 0;
    for (TaskMix.Part part : mix.parts()) {
      double milli = part.share() * part.shape().milliCpus();
      asked += milli;
      besideGpus += part.shape().gpus() > 0 ? milli : 0;
      gpusAsked += part.share() * gpus(part.shape(), memory / Math.max(1, gpus));
    }
    if (asked <= 0 || gpusAsked <= 0 || gpus == 0) {
      return new CoreDemand(1, 0);
    }
    double slack = (double) cpus / gpus / (asked / gpusAsked);
    double bounded = Math.min(MOST_SLACK, Math.max(1 / MOST_SLACK, slack));
    return new CoreDemand(Math.rint(bounded * STEPS) / STEPS, besideGpus / gpusAsked);
  }

  private static double gpus(TaskShape shape, long device) {
    boolean part = shape.share().isShared() && device > 0;
    return shape.gpus() * (part ? Math.min(1, (double) shape.share().partOf(device) / device) : 1);
  }
}
