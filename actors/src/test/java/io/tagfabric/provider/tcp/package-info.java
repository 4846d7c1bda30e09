/** What the provider over TCP is made of, each part by itself against a plain model. */
package io.tagfabric.provider.tcp;
