/** Decides which waiting task goes to which node: snapshot in, plan out, pure. */
package io.remuda.coordinator.schedule;
