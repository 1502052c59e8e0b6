/** The coordinator's actors: they apply plans, pass messages and hold timers. */
package io.remuda.coordinator.actor;
