/** Samples as text: a line for each, or bars. */
package io.remuda.telemetry.render;
