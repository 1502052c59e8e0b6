/** Frozen working trees: the file that has one, and the copies that attempts get. */
package io.remuda.agent.freeze;
