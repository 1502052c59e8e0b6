/** Reports of a server's jobs, made of what it answers. */
package io.remuda.coordinator.report.server;
