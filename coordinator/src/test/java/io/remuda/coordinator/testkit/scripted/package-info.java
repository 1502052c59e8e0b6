/** Keepers that start no process: a test sees what was ordered of them, and says when tasks end. */
package io.remuda.coordinator.testkit.scripted;
