/** The options of a job that say where and when its tasks may start. */
package io.remuda.coordinator.cli.placement;
