/** Whose turn it is, and when waiting jobs may start; it decides nothing. */
package io.remuda.coordinator.schedule.forecast;
