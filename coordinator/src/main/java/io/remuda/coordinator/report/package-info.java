/** Reports as one HTML file that needs no server, no network and no script. */
package io.remuda.coordinator.report;
