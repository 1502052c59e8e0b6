/**
 * The protocol between a user's training and the agent of its node: what a training is told when it
 * starts, and what it tells at the end of each epoch ({@code docs/training.md}).
 */
package io.remuda.agent.training;
