/** The durable state of a job service: one SQLite file, its schema, its writer and readers. */
package io.remuda.coordinator.store;
