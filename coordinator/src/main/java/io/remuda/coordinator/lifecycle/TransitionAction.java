package io.remuda.coordinator.lifecycle;

/** What happens with a transition of a task, besides its change of state. */
public enum TransitionAction {
  /** It takes a slot, and its user's share of the cluster is charged. */
  TAKE_PLACE,
  /** If it shares its devices, its time beside the other tasks on them begins to count. */
  BEGIN_SHARING,
  /** Its node has reported, so it no longer counts as silent. */
  HEAR_NODE,
  /** It leaves its slot and devices; the next task of the slot is charged. */
  FREE_PLACE,
  /** It waits again, unless its job is held by now or its gang ends with it. */
  REJOIN,
  /** It counts as ended in its job, which may end too, and jobs that depend on it may go on. */
  END
}
