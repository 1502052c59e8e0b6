/** Chooses the device source of this machine. */
package io.remuda.telemetry.machine;
