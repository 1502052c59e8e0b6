/** Rollups, histograms and summaries over samples, without I/O. */
package io.remuda.telemetry.window;
