/** What any origin of readings offers, how one is chosen, and the sampler that reads it on time. */
package io.remuda.telemetry.source;
