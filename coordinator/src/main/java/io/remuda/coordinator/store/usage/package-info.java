/** Queries of what ended attempts held and used. */
package io.remuda.coordinator.store.usage;
