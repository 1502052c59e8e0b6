/** Small curves of single attempts: what programs report, and what is kept of ended ones. */
package io.remuda.coordinator.curve;
