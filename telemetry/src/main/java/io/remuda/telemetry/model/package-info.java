/** Values with units that describe machines and devices, as they travel between processes. */
package io.remuda.telemetry.model;
