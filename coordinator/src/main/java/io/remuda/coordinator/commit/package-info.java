/** Decisions as data, and the log that makes them durable. */
package io.remuda.coordinator.commit;
