/** The fields of a job, each described in one row: name, type, limits, and whether it changes. */
package io.remuda.coordinator.jobfield;
