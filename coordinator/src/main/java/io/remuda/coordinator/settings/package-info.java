/** Typed configuration of the coordinator. */
package io.remuda.coordinator.settings;
