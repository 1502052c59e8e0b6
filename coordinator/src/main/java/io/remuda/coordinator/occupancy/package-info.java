/** Who had which GPU, and why nobody had it, from when to when. */
package io.remuda.coordinator.occupancy;
