/** The entry point of an agent: reads settings, starts the actor system. */
package io.remuda.agent.main;
