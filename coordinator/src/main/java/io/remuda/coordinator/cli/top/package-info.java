/** The display of {@code remuda top}: lines, and a terminal that is kept up to date. */
package io.remuda.coordinator.cli.top;
