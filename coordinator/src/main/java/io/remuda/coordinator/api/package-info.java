/**
 * The messages to and from the coordinator: commands, answers, events, and the reasons why tasks
 * wait.
 */
package io.remuda.coordinator.api;
