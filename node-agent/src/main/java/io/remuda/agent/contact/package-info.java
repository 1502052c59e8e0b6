/** How long an agent may let tied tasks run without hearing from its coordinator, pure. */
package io.remuda.agent.contact;
