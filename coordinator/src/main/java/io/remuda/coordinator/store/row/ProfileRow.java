package io.remuda.coordinator.store.row;

import io.remuda.coordinator.profile.Profile;

/**
 * A profile as it is stored.
 *
 * @param updated milliseconds since 1970 by the coordinator's clock
 */
public record ProfileRow(Profile profile, long updated) {}
