/** Bodies and parameters of requests, read strictly and within limits. */
package io.remuda.coordinator.rest.request;
