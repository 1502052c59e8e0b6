/**
 * Drawings of readings over time, attempts, GPUs and memory, as SVG text: data in, text out, and
 * the same text for the same data.
 */
package io.remuda.coordinator.drawing;
