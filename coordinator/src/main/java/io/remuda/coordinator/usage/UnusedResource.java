package io.remuda.coordinator.usage;

/**
 * Something that jobs of one user and type held and did not use.
 *
 * @param kind such as {@code never-touched}
 * @param text what it was, with advice
 * @param mend what to submit them with
 */
public record UnusedResource(String kind, String text, String mend) {}
