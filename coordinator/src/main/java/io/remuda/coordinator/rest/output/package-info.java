/** Output of tasks and events, read once or streamed. */
package io.remuda.coordinator.rest.output;
