/** What the bytes go by, over lines in memory. */
package io.tagfabric.provider.tcp.line;
