/** The coordinator's actors: they carry messages, timers and effects. */
package io.remuda.coordinator.actor;
