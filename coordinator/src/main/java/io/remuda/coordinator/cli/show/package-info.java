/** What {@code remuda show} prints of a job and its tasks. */
package io.remuda.coordinator.cli.show;
