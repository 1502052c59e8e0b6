/** Typed configuration of an agent. */
package io.remuda.agent.settings;
