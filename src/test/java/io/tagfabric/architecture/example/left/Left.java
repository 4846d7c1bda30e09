package io.tagfabric.architecture.example.left;

import io.tagfabric.architecture.example.right.Right;

/** Uses {@link Right}, which uses this. */
public record Left(Right right) {}
