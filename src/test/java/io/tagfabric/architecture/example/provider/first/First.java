package io.tagfabric.architecture.example.provider.first;

/** A provider. */
public record First(int number) {}
