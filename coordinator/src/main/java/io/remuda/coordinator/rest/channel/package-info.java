/** Channels between clients and what is beside tasks, over HTTP. */
package io.remuda.coordinator.rest.channel;
