/**
 * The files and names from which the standard streams of a user's command come and to which they
 * go.
 */
package io.remuda.agent.stream;
