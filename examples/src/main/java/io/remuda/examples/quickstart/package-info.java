/** The ensemble run from a Java program, on machines that are simulated. */
package io.remuda.examples.quickstart;
