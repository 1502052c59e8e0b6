/** Extensions of the scheduler, and the scheduler without a cluster. */
package io.remuda.examples.schedule;
