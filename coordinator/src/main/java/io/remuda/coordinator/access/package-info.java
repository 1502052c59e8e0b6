/** The key of the cluster and the access file of a job service. */
package io.remuda.coordinator.access;
