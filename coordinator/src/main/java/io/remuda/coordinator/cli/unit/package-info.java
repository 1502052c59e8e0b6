/** The server as a service of the user's systemd. */
package io.remuda.coordinator.cli.unit;
