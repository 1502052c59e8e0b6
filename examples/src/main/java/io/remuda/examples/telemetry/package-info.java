/** A source of device readings, and a computation over them. */
package io.remuda.examples.telemetry;
