/** What happens in a cluster at the moment, as events for those who look on. */
package io.remuda.coordinator.live;
