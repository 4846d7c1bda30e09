package io.tagfabric.report;

import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@link Sizes} on a command line. */
public final class SizesConverter implements ITypeConverter<List<Integer>> {
  @Override
  public List<Integer> convert(String text) {
    try {
      return Sizes.parse(text);
    } catch (IllegalArgumentException refused) {
      throw new TypeConversionException(refused.getMessage());
    }
  }
}
