/** How long an agent may let tied tasks run without contact to its coordinator; no side effects. */
package io.remuda.agent.contact;
