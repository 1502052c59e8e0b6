/** Decides by which time old things are removed when the wall clock has jumped; no side effects. */
package io.remuda.agent.clock;
