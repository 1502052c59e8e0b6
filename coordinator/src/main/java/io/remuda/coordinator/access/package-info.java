/** The key that makes a process a member of this cluster. */
package io.remuda.coordinator.access;
