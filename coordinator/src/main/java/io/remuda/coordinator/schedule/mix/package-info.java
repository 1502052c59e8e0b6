/** What tasks usually need, learned from those seen so far, and the room that nodes have for it. */
package io.remuda.coordinator.schedule.mix;
