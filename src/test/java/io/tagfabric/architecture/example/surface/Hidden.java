package io.tagfabric.architecture.example.surface;

import io.tagfabric.annotation.InternalApi;

/** Internal by its own mark. */
@InternalApi
public interface Hidden {}
