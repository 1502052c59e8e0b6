/** The HTTP interface: routes, records of requests and responses, rejections as statuses. */
package io.remuda.coordinator.rest;
