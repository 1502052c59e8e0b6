package io.remuda.worker.workload.mnist;

/** How a training with snapshots ends: with a result, or stopped between two epochs. */
public sealed interface TrainingOutcome permits MnistResult, StoppedTrainingOutcome {}
