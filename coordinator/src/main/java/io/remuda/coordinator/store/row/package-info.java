/** Rows: what is stored, its conversion to columns and back, and the checks of both. */
package io.remuda.coordinator.store.row;
