/** How many tasks of live jobs wait, and how many have a place. */
package io.remuda.coordinator.registry.load;
