/** Which jobs a request is about: selectors as users write them, and filters. */
package io.remuda.coordinator.rest.select;
