/** The entry point of an agent: reads settings and starts the actor system. */
package io.remuda.agent.main;
