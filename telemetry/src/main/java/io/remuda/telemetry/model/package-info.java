/** Records that describe machines and devices, exchanged between processes. */
package io.remuda.telemetry.model;
