/**
 * Attempts on this node without actors: their folders and notes, the commands that start them, and
 * how they ended.
 */
package io.remuda.agent.attempt;
