/** The command that shows what ended jobs held and used. */
package io.remuda.coordinator.cli.usage;
