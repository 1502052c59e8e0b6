/** What a user is told about a command line that is wrong. */
package io.remuda.agent.commandline;
