/** Which jobs a command is about: selectors and filters, resolved by the server. */
package io.remuda.coordinator.cli.select;
