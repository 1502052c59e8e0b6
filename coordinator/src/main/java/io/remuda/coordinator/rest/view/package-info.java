/**
 * What responses are made of: access to the coordinator and the store, and their results as JSON.
 */
package io.remuda.coordinator.rest.view;
