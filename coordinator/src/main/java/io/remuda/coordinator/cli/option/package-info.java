/** What several commands read of their options. */
package io.remuda.coordinator.cli.option;
