/** The state in a PostgreSQL database, which several servers reach. */
package io.remuda.coordinator.store.postgres;
