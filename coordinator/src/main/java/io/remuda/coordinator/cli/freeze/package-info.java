/** Working trees that are frozen at the submission: which files, and where they are kept. */
package io.remuda.coordinator.cli.freeze;
