/** Starts the real program and looks at everything that it starts. */
package io.remuda.coordinator.testkit;
