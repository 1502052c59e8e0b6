package io.remuda.coordinator.ui;

/**
 * Who looks at what.
 *
 * @param user of the server
 * @param server its address
 * @param machine name of the machine where the page's proxy runs
 * @param zone time zone of that machine, as Europe/Berlin
 * @param version of the proxy
 */
public record PageContext(
    String user, String server, String machine, String zone, String version) {}
