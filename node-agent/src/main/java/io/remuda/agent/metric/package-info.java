/** What programs report themselves: lines of a file of each task, from reading to the wire. */
package io.remuda.agent.metric;
