package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.OtherBuildStateException;

/** Whether the tables of a state may be upgraded now. */
public interface UpgradePermit {

  /** Always: a server that is alone. */
  UpgradePermit ALONE = (found, newest) -> {};

  /**
   * Asks before the tables are created or upgraded.
   *
   * @param found their version, 0 if there are none
   * @param newest the version that this build makes of them
   * @throws OtherBuildStateException if not
   */
  void require(int found, int newest) throws OtherBuildStateException;
}
