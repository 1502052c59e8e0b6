/** Programs that use a job service over its HTTP interface. */
package io.remuda.examples.service;
