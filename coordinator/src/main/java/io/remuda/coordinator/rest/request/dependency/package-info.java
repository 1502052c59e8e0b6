/** How a request names the jobs that have to end before a job starts. */
package io.remuda.coordinator.rest.request.dependency;
