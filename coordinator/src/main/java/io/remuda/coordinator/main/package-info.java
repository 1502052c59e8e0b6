/** The main classes: the command line, and the writer of man pages. */
package io.remuda.coordinator.main;
