/** The report of a run as a file: what was recorded of it, drawn. */
package io.remuda.coordinator.ensemble.report;
