/** What a node reads of its machine, as JSON. */
package io.remuda.coordinator.rest.answer.node;
