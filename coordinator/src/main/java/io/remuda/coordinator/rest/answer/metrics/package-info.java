/** Answers about the token that reads metrics. */
package io.remuda.coordinator.rest.answer.metrics;
