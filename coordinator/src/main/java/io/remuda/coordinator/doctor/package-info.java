/** Checks a machine and reports what would make runs fail. */
package io.remuda.coordinator.doctor;
