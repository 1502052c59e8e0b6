/** One line of text for one sample. */
package io.remuda.telemetry.render;
