/** What is known of nodes and tasks, and how reports change it; pure, it holds no actor. */
package io.remuda.coordinator.registry;
