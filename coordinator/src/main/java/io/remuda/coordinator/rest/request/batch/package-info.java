/** Requests about many jobs at once. */
package io.remuda.coordinator.rest.request.batch;
