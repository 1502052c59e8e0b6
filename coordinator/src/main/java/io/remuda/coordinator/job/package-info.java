/** The rules for jobs, leases, and the nodes that run them. */
package io.remuda.coordinator.job;
