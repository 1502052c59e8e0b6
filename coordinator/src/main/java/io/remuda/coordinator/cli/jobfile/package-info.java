/** Jobs in a file: read, completed from the shell, and each fault told with its place. */
package io.remuda.coordinator.cli.jobfile;
