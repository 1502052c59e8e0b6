/** What to start, end or forget so that what runs becomes what should run, pure. */
package io.remuda.agent.recovery;
