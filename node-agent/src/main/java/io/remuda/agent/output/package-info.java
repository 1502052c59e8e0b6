/** What tasks have printed: read in parts, and kept within limits. */
package io.remuda.agent.output;
