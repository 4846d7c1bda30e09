package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.MatchKind;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ThreadUse;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the constant of an enum by its lower-case name, which is how people write it.
 *
 * @param <E> the enum
 */
abstract class EnumNames<E extends Enum<E>> implements ITypeConverter<E> {
  private final Class<E> type;

  private EnumNames(Class<E> type) {
    this.type = type;
  }

  @Override
  public final E convert(String text) {
    for (E constant : type.getEnumConstants()) {
      if (of(constant).equals(text.toLowerCase(Locale.ROOT))) {
        return constant;
      }
    }
    String choices =
        Arrays.stream(type.getEnumConstants())
            .map(EnumNames::of)
            .collect(Collectors.joining(" or "));
    throw new TypeConversionException("'" + text + "' is unknown, choose " + choices);
  }

  /** How a constant is written. */
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Where actors run that ask. */
  static final class OfActorWay extends EnumNames<ActorWay> {
    OfActorWay() {
      super(ActorWay.class);
    }
  }

  /** Peers. */
  static final class OfPeer extends EnumNames<MessageOptions.Peer> {
    OfPeer() {
      super(MessageOptions.Peer.class);
    }
  }

  /** Peers of wake-ups. */
  static final class OfWakePeer extends EnumNames<WakeOptions.Peer> {
    OfWakePeer() {
      super(WakeOptions.Peer.class);
    }
  }

  /** Peers of matching. */
  static final class OfMatchingPeer extends EnumNames<MatchingOptions.Peer> {
    OfMatchingPeer() {
      super(MatchingOptions.Peer.class);
    }
  }

  /** Kinds of matching. */
  static final class OfMatchKind extends EnumNames<MatchKind> {
    OfMatchKind() {
      super(MatchKind.class);
    }
  }

  /** Progress modes. */
  static final class OfProgress extends EnumNames<ProgressMode> {
    OfProgress() {
      super(ProgressMode.class);
    }
  }

  /** Who calls into a domain. */
  static final class OfThreadUse extends EnumNames<ThreadUse> {
    OfThreadUse() {
      super(ThreadUse.class);
    }
  }

  /** Ways to hand over. */
  static final class OfHandOver extends EnumNames<HandOver> {
    OfHandOver() {
      super(HandOver.class);
    }
  }

  /** Ways to wait. */
  static final class OfWaiting extends EnumNames<FabricEnd.Waiting> {
    OfWaiting() {
      super(FabricEnd.Waiting.class);
    }
  }

  /** Kinds of memory. */
  static final class OfMemory extends EnumNames<BenchOptions.Memory> {
    OfMemory() {
      super(BenchOptions.Memory.class);
    }
  }

  /** Profiles. */
  static final class OfProfile extends EnumNames<Profile> {
    OfProfile() {
      super(Profile.class);
    }
  }
}
