/** AIchor's manifests, read as jobs. */
package io.remuda.coordinator.cli.aichor;
