/** Queries of jobs, tasks and usage by several properties, over {@code StoreReader}. */
package io.remuda.coordinator.store.query;
