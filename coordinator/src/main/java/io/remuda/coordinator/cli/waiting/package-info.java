/** Waiting for jobs: what has ended, and how far the others are. */
package io.remuda.coordinator.cli.waiting;
