/**
 * The page of {@code remuda ui}: its files, and a small proxy on the loopback that speaks plain
 * HTTP to one browser and TLS, as the user, to the server. It loads no actor.
 */
package io.remuda.coordinator.ui;
