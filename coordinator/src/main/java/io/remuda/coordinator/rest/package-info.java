/** The HTTP interface: the server, its users and its routes. */
package io.remuda.coordinator.rest;
