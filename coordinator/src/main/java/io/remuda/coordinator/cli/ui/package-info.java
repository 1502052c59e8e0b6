/** {@code remuda ui}: starts the page for a browser. */
package io.remuda.coordinator.cli.ui;
