/** Kills what lost keepers and ended tasks have left. */
package io.remuda.agent.keeper.sweep;
