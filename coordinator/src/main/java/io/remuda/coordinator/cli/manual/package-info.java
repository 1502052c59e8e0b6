/** Man pages and shell completion, made from the commands themselves. */
package io.remuda.coordinator.cli.manual;
