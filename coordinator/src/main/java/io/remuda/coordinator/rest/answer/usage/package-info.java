/** Answers about what ended attempts held and used. */
package io.remuda.coordinator.rest.answer.usage;
