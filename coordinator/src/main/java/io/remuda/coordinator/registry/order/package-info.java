/** What is known of how long jobs take, for the order policy, and who leaves because of it. */
package io.remuda.coordinator.registry.order;
