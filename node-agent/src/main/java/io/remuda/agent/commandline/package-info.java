/** The command line of a program: its caller, its examples, its faults in words. */
package io.remuda.agent.commandline;
