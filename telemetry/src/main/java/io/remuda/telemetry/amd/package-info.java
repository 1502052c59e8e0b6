/** Reads AMD GPUs from the sysfs files of the kernel's amdgpu driver. */
package io.remuda.telemetry.amd;
