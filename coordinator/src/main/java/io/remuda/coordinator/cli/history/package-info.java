/** Readings over time, as text. */
package io.remuda.coordinator.cli.history;
