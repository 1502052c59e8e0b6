/** The interface of reading sources, and the sampler that reads them on time. */
package io.remuda.telemetry.source;
