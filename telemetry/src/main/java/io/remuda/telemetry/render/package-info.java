/** Renders samples as text lines or bars. */
package io.remuda.telemetry.render;
