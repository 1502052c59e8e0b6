/** JSON that is read and written in the usual way. */
package io.remuda.json;
