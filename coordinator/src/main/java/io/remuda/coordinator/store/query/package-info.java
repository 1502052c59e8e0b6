/** Queries of jobs and tasks by several properties, over {@code StoreReader}. */
package io.remuda.coordinator.store.query;
