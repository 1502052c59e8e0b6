/** The job service: its actors, its folder, and the agent that it starts on its machine. */
package io.remuda.coordinator.service;
