/**
 * Nodes as the coordinator sees them: connections, desired states, requests to agents, and what
 * users change.
 */
package io.remuda.coordinator.node;
