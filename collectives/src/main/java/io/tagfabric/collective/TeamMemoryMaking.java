package io.tagfabric.collective;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.Decision;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;

/**
 * Makes memory of a team: each member allocates its part, then all learn of all in one collective,
 * and agree that they have. So it is there at all members or at none.
 */
final class TeamMemoryMaking {
  private static final int TEXT_LONGS = 20;
  private static final int ERROR = 0;
  private static final int KEY = 1;
  private static final int GENERATION = 2;
  private static final int LENGTH = 3;
  private static final int INCARNATION = 4;
  private static final int TEXT_BYTES = 5;
  private static final int TEXT = 6;
  private static final int LONGS = TEXT + TEXT_LONGS;

  private final Team program;
  private final long[] own = new long[LONGS];
  private Team team;
  private MutableDirectBuffer buffer;
  private Runnable release;
  private Region region;

  private TeamMemoryMaking(Team program) {
    this.program = program;
  }

  static CompletionStage<TeamMemory> allocate(Team team, int bytes) {
    TeamMemoryMaking making = new TeamMemoryMaking(team);
    making.allocatePart(bytes);
    try {
      return team.dup().thenCompose(making::tellAll).whenComplete(making::ended);
    } catch (RuntimeException | Error e) {
      making.giveBack();
      throw e;
    }
  }

  /** By a team of its own, whose calls do not come between those of the program. */
  private CompletionStage<TeamMemory> tellAll(Team its) {
    team = its;
    Elements all = Elements.of(new long[LONGS * team.size()]);
    return team.runner()
        .startForAll(CollectiveCall.allgather(Elements.of(own), all))
        .thenApply(agreed -> made(all.longs(), agreed));
  }

  private void ended(TeamMemory made, Throwable failure) {
    if (made == null) {
      giveBack();
    }
  }

  /** Allocates this member's part; why it cannot is for all to know. */
  private void allocatePart(int bytes) {
    try {
      var memory = program.domain().allocate(bytes);
      release = memory::close;
      buffer = memory.buffer();
      region = program.domain().register(memory, RegionRight.all(), RegionOptions.DEFAULT);
      RegionDescriptor descriptor = region.descriptor();
      own[KEY] = descriptor.key();
      own[GENERATION] = descriptor.generation();
      own[LENGTH] = descriptor.lengthBytes();
      own[INCARNATION] = descriptor.incarnation();
    } catch (FabricException e) {
      cannot(e.error(), e.getMessage());
    } catch (IllegalArgumentException e) {
      cannot(FabricError.INVALID, e.getMessage());
    } catch (RuntimeException e) {
      cannot(FabricError.OTHER, e.toString());
    } catch (OutOfMemoryError e) {
      cannot(FabricError.NO_MEMORY, e.getMessage());
    }
  }

  private void cannot(FabricError error, String why) {
    byte[] text = String.valueOf(why).getBytes(StandardCharsets.UTF_8);
    own[ERROR] = error.code();
    own[TEXT_BYTES] = Math.min(text.length, TEXT_LONGS * Long.BYTES);
    for (int i = 0; i < own[TEXT_BYTES]; i++) {
      own[TEXT + i / Long.BYTES] |= (text[i] & 0xFFL) << (8 * (i % Long.BYTES));
    }
  }

  private static String textOf(long[] all, int at) {
    int length = (int) Math.max(0, Math.min(all[at + TEXT_BYTES], TEXT_LONGS * Long.BYTES));
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) (all[at + TEXT + i / Long.BYTES] >>> (8 * (i % Long.BYTES)));
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private TeamMemory made(long[] all, Decision agreed) {
    List<RemoteRegion> parts = new ArrayList<>();
    for (int rank = 0; rank < team.size(); rank++) {
      int at = rank * LONGS;
      if (agreed.lost().get(rank)) {
        throw failed(FabricError.CONNECTION_RESET, rank, "is gone");
      }
      if (all[at + ERROR] != 0) {
        throw failed(
            FabricError.find((int) all[at + ERROR]).orElse(FabricError.OTHER),
            rank,
            "could not allocate: " + textOf(all, at));
      }
      RegionDescriptor descriptor =
          new RegionDescriptor(
              all[at + KEY],
              all[at + GENERATION],
              all[at + LENGTH],
              RegionRight.all(),
              all[at + INCARNATION]);
      parts.add(new RemoteRegion(team.runner().members().peer(rank), descriptor));
    }
    return new TeamMemory(program, team, buffer, region, release, parts);
  }

  private FabricException failed(FabricError error, int rank, String what) {
    return new FabricException(
        error, "rank " + rank + " [" + team.address(rank) + "] " + what + ", so no member has it");
  }

  private void giveBack() {
    if (team != null) {
      team.close();
    }
    if (region != null) {
      region.close(Duration.ZERO).thenRun(release);
    } else if (release != null) {
      release.run();
    }
  }
}
