/** What the scheduler looks at: waiting tasks, what nodes offer, and why tasks wait. */
package io.remuda.coordinator.schedule.model;
