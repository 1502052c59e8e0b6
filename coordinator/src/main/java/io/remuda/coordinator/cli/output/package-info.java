/** Output for users: aligned tables, relative times, escaped control characters. */
package io.remuda.coordinator.cli.output;
