package io.tagfabric.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of ranks. */
final class RankCountConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    try {
      int count = Integer.parseInt(text.strip());
      if (count >= 1) {
        return count;
      }
    } catch (NumberFormatException noNumber) {
      // refused below
    }
    throw new TypeConversionException(
        "'" + text + "' is not a number of ranks, write for example -n 4");
  }
}
