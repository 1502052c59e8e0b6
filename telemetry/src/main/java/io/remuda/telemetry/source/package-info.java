/** The interface of reading sources, their selection, and the sampler that reads them on time. */
package io.remuda.telemetry.source;
