/** How an agent gets its keeper: the start, the search, the connection, and what is left of it. */
package io.remuda.agent.keeper.join;
