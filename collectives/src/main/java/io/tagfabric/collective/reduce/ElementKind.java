package io.tagfabric.collective.reduce;

import java.util.List;

/**
 * What elements are: how many bytes each takes, and a name that must be equal at all members. The
 * kinds here are little-endian and packed; a program makes kinds of its own with {@link
 * RecordKind}. Immutable; equal kinds are the same.
 */
public interface ElementKind {
  ElementKind INT8 = StandardKind.INT8;

  ElementKind INT16 = StandardKind.INT16;

  ElementKind INT32 = StandardKind.INT32;

  ElementKind INT64 = StandardKind.INT64;

  ElementKind UINT8 = StandardKind.UINT8;

  ElementKind UINT16 = StandardKind.UINT16;

  ElementKind UINT32 = StandardKind.UINT32;

  ElementKind UINT64 = StandardKind.UINT64;

  ElementKind FLOAT32 = StandardKind.FLOAT32;

  ElementKind FLOAT64 = StandardKind.FLOAT64;

  /** One byte, 0 is false. */
  ElementKind BOOLEAN = StandardKind.BOOLEAN;

  /** Bytes without meaning; only bitwise operators. */
  ElementKind BYTES = StandardKind.BYTES;

  /** An INT32, then an INT32 that says where it is from. */
  ElementKind INT32_AT = StandardKind.INT32_AT;

  /** An INT64, then an INT32 that says where it is from. */
  ElementKind INT64_AT = StandardKind.INT64_AT;

  /** A FLOAT32, then an INT32 that says where it is from. */
  ElementKind FLOAT32_AT = StandardKind.FLOAT32_AT;

  /** A FLOAT64, then an INT32 that says where it is from. */
  ElementKind FLOAT64_AT = StandardKind.FLOAT64_AT;

  /** Bytes of one element. */
  int bytes();

  /** The name in reports, such as {@code float64}. */
  String key();

  /** The kinds that the usual operators combine. */
  static List<ElementKind> standard() {
    return List.of(StandardKind.values());
  }
}
