package io.tagfabric.architecture.example.provider.second;

import io.tagfabric.architecture.example.provider.first.First;

/** A provider that uses another. */
public record Second(First first) {}
