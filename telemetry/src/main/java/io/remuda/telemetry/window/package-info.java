/** Pure rollups, histograms and summaries over samples. */
package io.remuda.telemetry.window;
