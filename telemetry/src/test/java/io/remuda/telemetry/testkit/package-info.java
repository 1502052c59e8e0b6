/** Builders and stand-ins that tests of this and other modules share. */
package io.remuda.telemetry.testkit;
