/** Answers about readings over time. */
package io.remuda.coordinator.rest.answer.history;
