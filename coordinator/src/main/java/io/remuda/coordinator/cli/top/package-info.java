/** What {@code remuda top} shows, drawn as lines and kept up to date on a terminal. */
package io.remuda.coordinator.cli.top;
