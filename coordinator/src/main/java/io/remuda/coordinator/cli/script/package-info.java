/** Scripts that are submitted: where they are, what runs them, and the options in their heads. */
package io.remuda.coordinator.cli.script;
