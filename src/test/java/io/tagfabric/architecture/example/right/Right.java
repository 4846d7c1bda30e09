package io.tagfabric.architecture.example.right;

import io.tagfabric.architecture.example.left.Left;
import java.util.List;

/** Uses {@link Left}, which uses this. */
public record Right(List<Left> lefts) {}
