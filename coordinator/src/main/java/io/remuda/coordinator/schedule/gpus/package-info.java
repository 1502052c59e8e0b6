/** How many GPUs each training gets, by its measured speed. Pure code. */
package io.remuda.coordinator.schedule.gpus;
