/** A server in the background: apart from the terminal that starts it, with a log of its own. */
package io.remuda.coordinator.cli.background;
