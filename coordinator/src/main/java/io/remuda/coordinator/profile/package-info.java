/** Measured needs, durations and speeds of job types. */
package io.remuda.coordinator.profile;
