package io.remuda.telemetry.model;

/**
 * Time that all CPUs of a machine have spent since it started, by mode, in seconds. Time of virtual
 * guests is in {@code user} and {@code nice}, as the kernel counts it.
 */
public record CpuSeconds(
    double user,
    double nice,
    double system,
    double idle,
    double iowait,
    double irq,
    double softirq,
    double steal) {}
