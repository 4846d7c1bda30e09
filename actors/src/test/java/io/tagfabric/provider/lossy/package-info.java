/** A provider for tests that loses, doubles and reorders packets. */
package io.tagfabric.provider.lossy;
