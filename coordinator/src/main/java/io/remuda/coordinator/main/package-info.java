/** Where the program begins: as a process, as a function, and as the writer of its man pages. */
package io.remuda.coordinator.main;
