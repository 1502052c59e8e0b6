/** Logging of Remuda's processes. */
package io.remuda.agent.log;
