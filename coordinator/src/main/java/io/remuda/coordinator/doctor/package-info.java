/** Looks over a machine and says what would go wrong, before it does. */
package io.remuda.coordinator.doctor;
