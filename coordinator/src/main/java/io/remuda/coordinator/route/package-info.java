/** The table of the HTTP interface's routes, and what members and clients read of it. */
package io.remuda.coordinator.route;
