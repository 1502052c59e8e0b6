/** What a client does by channels beside a task: terminals, shells, ports and signals. */
package io.remuda.coordinator.cli.channel;
