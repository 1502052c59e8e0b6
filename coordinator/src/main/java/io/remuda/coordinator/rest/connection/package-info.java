/**
 * Connections within limits: bodies that arrive, requests in order, responses that clients have not
 * read.
 */
package io.remuda.coordinator.rest.connection;
