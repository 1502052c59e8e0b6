/** The copy of a state into another database. */
package io.remuda.coordinator.store.copy;
