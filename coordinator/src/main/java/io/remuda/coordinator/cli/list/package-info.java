/** Tables of jobs: those that {@code remuda state} prints, and what ended jobs held and used. */
package io.remuda.coordinator.cli.list;
