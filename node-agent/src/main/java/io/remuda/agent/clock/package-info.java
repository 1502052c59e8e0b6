/**
 * Times that decide: when old things go although a clock jumps, and how long tied tasks run alone.
 */
package io.remuda.agent.clock;
