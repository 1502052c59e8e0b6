/** What jobs of one type were measured to need. */
package io.remuda.coordinator.profile;
