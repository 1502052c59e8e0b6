/** Files that are replaced as a whole. */
package io.remuda.file;
