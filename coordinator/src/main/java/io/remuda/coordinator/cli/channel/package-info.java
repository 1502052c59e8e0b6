/** What a client does by channels beside a task: terminals, shells and ports. */
package io.remuda.coordinator.cli.channel;
