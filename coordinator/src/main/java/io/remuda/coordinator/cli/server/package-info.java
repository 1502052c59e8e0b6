/** The commands that set up, start, stop and keep servers, and the base of all that ask one. */
package io.remuda.coordinator.cli.server;
