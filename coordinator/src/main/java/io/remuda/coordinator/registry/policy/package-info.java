/** What the owner of a server decides: retries, fairness, and limits of the live jobs. */
package io.remuda.coordinator.registry.policy;
