/** Size, limits and load of the machine this process runs on. */
package io.remuda.telemetry.host;
