/** An ensemble run started from a Java program, on simulated machines. */
package io.remuda.examples.quickstart;
