/** What a request asks for: the values in its path, its query part and its body. */
package io.remuda.coordinator.rest.query;
