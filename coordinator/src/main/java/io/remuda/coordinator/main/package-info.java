/** The entry point: reads settings, starts the actor system. */
package io.remuda.coordinator.main;
