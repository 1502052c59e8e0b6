/** Builders and fakes that the tests of the coordinator share. */
package io.remuda.coordinator.testkit;
