/** What a connection carries, each part by itself against a plain model. */
package io.tagfabric.provider.tcp.record;
