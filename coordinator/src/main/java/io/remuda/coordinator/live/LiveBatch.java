package io.remuda.coordinator.live;

/**
 * Server-sent events that belong together.
 *
 * @param id of the last of them, by which a reader continues
 * @param events as they are sent; nobody changes them
 */
public record LiveBatch(String id, byte[] events) {}
