/** Who watches that the other coordinators live. */
package io.remuda.coordinator.cluster.watch;
