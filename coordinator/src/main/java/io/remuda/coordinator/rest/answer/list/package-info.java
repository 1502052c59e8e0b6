/** The answer to a request for jobs. */
package io.remuda.coordinator.rest.answer.list;
