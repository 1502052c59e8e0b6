/** Several coordinators on one state: who leads, and how the others reach it. */
package io.remuda.coordinator.cluster;
