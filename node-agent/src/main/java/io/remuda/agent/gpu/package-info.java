/**
 * Tasks and programs on this node's GPUs: their use of device memory and what they were promised.
 */
package io.remuda.agent.gpu;
