package io.remuda.coordinator.store.row;

/**
 * What a receiver is to be told of a job; it is stored until it was told.
 *
 * @param number unique in the state, rising
 * @param content {@link JobNotice} as JSON
 */
public record NoticeRow(long number, String content) {}
