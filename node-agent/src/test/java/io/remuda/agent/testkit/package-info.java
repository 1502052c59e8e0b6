/** Builders and fakes that the tests of an agent share. */
package io.remuda.agent.testkit;
