/** Records that describe machines and devices; null means that a reading is not available. */
package io.remuda.telemetry.model;
