/** Counts what the coordinator does, for those who look at it from outside. */
package io.remuda.coordinator.meter;
