/** What tasks have printed: read in parts, and kept within a limit. */
package io.remuda.agent.output;
