package io.remuda.coordinator.schedule;

/** Why a task was not placed, node by node; text is made at the edge. */
public sealed interface WaitReason {

  /** No node has joined. */
  record NoNodes() implements WaitReason {}

  /** The node does not answer. */
  record NodeSilent(String node) implements WaitReason {}

  /** The task wants more devices than are free. */
  record TooFewFreeGpus(String node, int wanted, int free, int total) implements WaitReason {}

  /** The task wants more memory, in bytes, than other tasks leave of the node's total. */
  record TooLittleMemory(String node, long wanted, long free, long total) implements WaitReason {}
}
