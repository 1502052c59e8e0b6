package io.remuda.coordinator.rest.answer;

/**
 * The server's version.
 *
 * @param api version of the interface
 */
public record VersionAnswer(String version, String api) {}
