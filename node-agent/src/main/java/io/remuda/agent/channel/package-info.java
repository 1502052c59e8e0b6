/** Byte channels between a client and a task's stdin or terminal, a shell beside it, or a port. */
package io.remuda.agent.channel;
