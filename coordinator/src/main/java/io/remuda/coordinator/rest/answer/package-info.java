/** The bodies of answers as records: their fields are those of the served document, in order. */
package io.remuda.coordinator.rest.answer;
