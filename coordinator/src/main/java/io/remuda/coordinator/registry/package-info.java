/** The registries of jobs, tasks and nodes, and the rules that change them; no side effects. */
package io.remuda.coordinator.registry;
