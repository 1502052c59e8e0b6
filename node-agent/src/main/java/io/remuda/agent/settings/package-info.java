/** Typed configuration of an agent; files and folders that only their owner may change. */
package io.remuda.agent.settings;
