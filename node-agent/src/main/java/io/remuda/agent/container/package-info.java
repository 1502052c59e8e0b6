/** Runs commands in containers: finds an engine, makes its command line, removes what it leaves. */
package io.remuda.agent.container;
