/**
 * Readers and writers of frame headers, generated from {@code src/main/sbe/wire.xml}. {@code
 * io.tagfabric.wire} is their only user.
 */
@InternalApi
package io.tagfabric.wire.sbe;

import io.tagfabric.annotation.InternalApi;
