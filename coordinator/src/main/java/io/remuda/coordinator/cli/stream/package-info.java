/** The command line's part of a job's streams: options, stdin that is sent, terminals and ports. */
package io.remuda.coordinator.cli.stream;
