/** Agents on other machines, which are brought there and started by ssh. */
package io.remuda.coordinator.cli.remote;
