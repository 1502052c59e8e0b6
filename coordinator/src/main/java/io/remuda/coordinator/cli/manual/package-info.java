/** Man pages and shell completion, generated from the commands. */
package io.remuda.coordinator.cli.manual;
