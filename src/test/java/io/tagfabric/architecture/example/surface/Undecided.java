package io.tagfabric.architecture.example.surface;

/** Neither listed nor marked. */
public final class Undecided {}
