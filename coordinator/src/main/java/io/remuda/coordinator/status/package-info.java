/** What a run's nodes and devices are doing now, as a file that other programs of the user read. */
package io.remuda.coordinator.status;
