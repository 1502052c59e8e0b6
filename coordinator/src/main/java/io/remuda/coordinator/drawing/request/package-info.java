/** Drawings that are asked for by name, made of what a server answers. */
package io.remuda.coordinator.drawing.request;
