/** The live rows of a shared state, decoded ahead of time by those who may lead next. */
package io.remuda.coordinator.store.warm;
