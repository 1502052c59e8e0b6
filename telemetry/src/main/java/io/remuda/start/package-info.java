/** The entry point of every jar, compiled so that an old Java can report that it is too old. */
package io.remuda.start;
