/** The table of jobs that {@code remuda state} prints, and its columns. */
package io.remuda.coordinator.cli.list;
