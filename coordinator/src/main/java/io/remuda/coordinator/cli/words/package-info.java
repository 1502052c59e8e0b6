/** How the command line words what the HTTP interface says. */
package io.remuda.coordinator.cli.words;
