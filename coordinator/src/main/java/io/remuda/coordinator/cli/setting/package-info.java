/** The settings of this machine, on the command line. */
package io.remuda.coordinator.cli.setting;
