/** Why jobs have waited, from when to when. */
package io.remuda.coordinator.waits;
