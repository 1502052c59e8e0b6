/** By which time old things may be removed when the wall clock has jumped, pure. */
package io.remuda.agent.clock;
