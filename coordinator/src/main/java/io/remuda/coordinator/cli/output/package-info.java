/** Results for people: aligned tables, relative times. */
package io.remuda.coordinator.cli.output;
