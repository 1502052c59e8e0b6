package io.remuda.coordinator.cluster;

/**
 * A message that travels between coordinators, as CBOR. A member of the version before must be able
 * to read it: fields are added, never renamed or removed, and a new field may be missing.
 */
public interface ClusterMessage {

  /** Version of this protocol; a member of another version is not joined. */
  int PROTOCOL_VERSION = 1;
}
