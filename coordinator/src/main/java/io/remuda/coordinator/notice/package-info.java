/** Tells the receivers that jobs name what happened to these. */
package io.remuda.coordinator.notice;
