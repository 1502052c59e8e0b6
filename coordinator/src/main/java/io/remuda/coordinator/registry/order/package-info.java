/** The order policy applied to live tasks. */
package io.remuda.coordinator.registry.order;
