/** May this task run on that node; each no has a reason. */
package io.remuda.coordinator.schedule.filter;
