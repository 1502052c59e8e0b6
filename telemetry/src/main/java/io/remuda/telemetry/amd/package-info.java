/** AMD GPUs, as the kernel's amdgpu driver shows them in sysfs. */
package io.remuda.telemetry.amd;
