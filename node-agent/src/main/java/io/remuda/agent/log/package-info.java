/** How Remuda's processes log. */
package io.remuda.agent.log;
