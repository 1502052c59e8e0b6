/** Files of what was so from one moment to another. */
package io.remuda.coordinator.spans;
