/** The first class of every jar, compiled so that even an old Java can say that it is too old. */
package io.remuda.start;
