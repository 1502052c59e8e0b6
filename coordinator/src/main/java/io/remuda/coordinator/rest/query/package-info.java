/** The query parts of requests that only read. */
package io.remuda.coordinator.rest.query;
