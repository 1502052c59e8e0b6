/** The past of a cluster, run again by its scheduler in moved time. */
package io.remuda.coordinator.replay;
