/** The command and its ranks as real processes: what they print, how they end, what they leave. */
package io.tagfabric.processes;
