/** The answer about a channel beside a task. */
package io.remuda.coordinator.rest.answer.channel;
