/** The commands for nodes and GPUs. */
package io.remuda.coordinator.cli.node;
