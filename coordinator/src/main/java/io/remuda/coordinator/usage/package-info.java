/** What ended tasks held of nodes and what they used of it, summed by day, user, type and node. */
package io.remuda.coordinator.usage;
