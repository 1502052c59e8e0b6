/** The command line's side of the HTTP interface; it loads no actor. */
package io.remuda.coordinator.client;
