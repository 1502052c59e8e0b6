/** Commands that draw and report what was, as files. */
package io.remuda.coordinator.cli.report;
