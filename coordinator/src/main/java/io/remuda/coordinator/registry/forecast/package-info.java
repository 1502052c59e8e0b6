/** What is known of how long tasks take, for forecasts of when others start. */
package io.remuda.coordinator.registry.forecast;
