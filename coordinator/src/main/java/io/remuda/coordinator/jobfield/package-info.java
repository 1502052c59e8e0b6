/** The fields of a job, each described in one row, and what the values of a group mean. */
package io.remuda.coordinator.jobfield;
