package io.tagfabric.cli;

import io.tagfabric.cluster.job.Profile;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a profile by its lower-case name. */
final class ProfileConverter implements ITypeConverter<Profile> {
  @Override
  public Profile convert(String text) {
    for (Profile profile : Profile.values()) {
      if (profile.name().equalsIgnoreCase(text.strip())) {
        return profile;
      }
    }
    String names =
        Arrays.stream(Profile.values())
            .map(profile -> profile.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "))
            .replaceAll(", (?=[a-z]+$)", " or ");
    throw new TypeConversionException("'" + text + "' is no profile, choose " + names);
  }
}
