/** The state of nodes and tasks, and how reports change it; without actors and I/O. */
package io.remuda.coordinator.registry;
