package io.tagfabric.collective;

import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.Decision;
import io.tagfabric.collective.run.MemberNumbers;
import io.tagfabric.collective.run.Members;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Makes teams out of a team. In one collective all members learn who wants to be in which new team,
 * and by which number each tells it apart; then they agree that all have learnt it. So nothing need
 * be agreed before, teams that share members may be made at the same time, and a new team is there
 * at all its members or at none.
 */
final class TeamMaking {
  /** What is called; all members must call the same. */
  private enum Kind {
    SPLIT(1, "split"),
    CREATE(2, "create"),
    DUP(3, "dup");

    private final int code;
    private final String key;

    Kind(int code, String key) {
      this.code = code;
      this.key = key;
    }

    static String keyOf(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind.key;
        }
      }
      return "something else";
    }
  }

  /**
   * What one member wants.
   *
   * @param ranks in a number, of a create
   */
  private record Wish(int rank, int kind, int ranks, int color, int key, int number) {
    static final int LENGTH = 5;

    static Wish of(int rank, int[] all) {
      int at = rank * LENGTH;
      return new Wish(rank, all[at], all[at + 1], all[at + 2], all[at + 3], all[at + 4]);
    }

    int[] toArray() {
      return new int[] {kind, ranks, color, key, number};
    }

    String call() {
      return Kind.keyOf(kind);
    }
  }

  private TeamMaking() {}

  static CompletionStage<Team> split(Team team, int color, int key) {
    return make(team, Kind.SPLIT, 0, color, key);
  }

  static CompletionStage<Team> dup(Team team) {
    return make(team, Kind.DUP, 0, 0, team.rank());
  }

  static CompletionStage<Team> create(Team team, List<Integer> ranks) {
    requireRanks(team, ranks);
    int place = ranks.indexOf(team.rank());
    return make(team, Kind.CREATE, ranks.hashCode(), place < 0 ? -1 : 0, place);
  }

  private static void requireRanks(Team team, List<Integer> ranks) {
    Set<Integer> seen = new HashSet<>();
    for (int rank : ranks) {
      if (rank < 0 || rank >= team.size()) {
        throw new IllegalArgumentException(
            "rank=" + rank + " is outside 0.." + (team.size() - 1) + ", name ranks of the team");
      }
      if (!seen.add(rank)) {
        throw new IllegalArgumentException("rank=" + rank + " is there twice, name each once");
      }
    }
  }

  private static CompletionStage<Team> make(Team team, Kind kind, int ranks, int color, int key) {
    Members members = team.runner().members();
    int number = members.numbers().reserve();
    Wish own = new Wish(team.rank(), kind.code, ranks, color, key, number);
    Elements all = Elements.of(new int[Wish.LENGTH * team.size()]);
    return team.runner()
        .startForAll(CollectiveCall.allgather(Elements.of(own.toArray()), all))
        .thenApply(agreed -> joined(team, own, all.ints(), agreed))
        .whenComplete(
            (made, failure) -> {
              if (made == null) {
                members.numbers().free(number);
              }
            });
  }

  private static Team joined(Team team, Wish own, int[] all, Decision agreed) {
    List<Wish> wishes = new ArrayList<>();
    for (int rank = 0; rank < team.size(); rank++) {
      wishes.add(Wish.of(rank, all));
    }
    requireSame(team, wishes);
    List<Wish> chosen =
        wishes.stream()
            .filter(wish -> wish.color() == own.color() && own.color() >= 0)
            .sorted(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank))
            .toList();
    for (Wish wish : chosen) {
      if (agreed.lost().get(wish.rank())) {
        throw failed(team, FabricError.CONNECTION_RESET, wish.rank(), "is gone");
      }
    }
    return chosen.isEmpty()
        ? null
        : team.derive(
            chosen.stream().map(Wish::rank).toList(),
            chosen.stream().mapToInt(Wish::number).toArray());
  }

  /** All members see the same, so it fails at all of them or at none. */
  private static void requireSame(Team team, List<Wish> wishes) {
    Wish first = wishes.get(0);
    for (Wish wish : wishes) {
      if (wish.kind() != first.kind()) {
        throw failed(
            team,
            FabricError.INVALID,
            wish.rank(),
            "calls [" + wish.call() + "] where rank 0 calls [" + first.call() + ADVICE);
      }
      if (wish.ranks() != first.ranks()) {
        throw failed(
            team,
            FabricError.INVALID,
            wish.rank(),
            "calls [" + wish.call() + "] with other ranks than rank 0, name the same everywhere");
      }
    }
  }

  private static final String ADVICE =
      "], make the teams of a team in the same order at all members";

  private static FabricException failed(Team team, FabricError error, int rank, String what) {
    return new FabricException(
        error,
        "team " + team.context() + ": rank " + rank + " [" + team.address(rank) + "] " + what);
  }

  static CompletionStage<Team> createFrom(Team team, Ranks ranks) {
    requireRanks(team, ranks.list());
    if (!ranks.contains(team.rank())) {
      throw new IllegalArgumentException(
          "rank="
              + team.rank()
              + " is not among the ranks "
              + ranks.list()
              + ", only these call createFrom");
    }
    Members members = team.runner().members();
    int number = members.numbers().reserve();
    return team.runner()
        .agreeAmong(ranks.list(), number)
        .thenApply(
            agreed -> {
              int gone = agreed.lost().nextSetBit(0);
              if (gone >= 0) {
                throw failed(team, FabricError.CONNECTION_RESET, ranks.list().get(gone), "is gone");
              }
              return team.derive(ranks.list(), agreed.numbers().numbers());
            })
        .whenComplete(
            (made, failure) -> {
              if (made == null) {
                members.numbers().free(number);
              }
            });
  }

  static CompletionStage<Team.Agreement> agree(Team team, long flag) {
    return team.runner()
        .agree(flag, MemberNumbers.NONE)
        .thenApply(
            agreed -> {
              requireSameAgreement(team, agreed);
              return new Team.Agreement(agreed.flag(), agreed.lost().stream().boxed().toList());
            });
  }

  /**
   * Who shrinks names a number, who only agrees does not. Members see the same, so it fails at all
   * that are alive or at none.
   */
  private static void requireSameAgreement(Team team, Decision agreed) {
    int named = agreed.numbers().size();
    if (named == 0 || named == team.size()) {
      return; // as nearly always, and a member of a large team need not look at all others
    }
    BitSet shrinking = agreed.numbers().members();
    BitSet lost = agreed.lost();
    int first = lost.nextClearBit(0);
    for (int rank = first; rank < team.size(); rank = lost.nextClearBit(rank + 1)) {
      if (shrinking.get(rank) != shrinking.get(first)) {
        throw failed(
            team,
            FabricError.INVALID,
            rank,
            "calls ["
                + (shrinking.get(rank) ? "shrink" : "agree")
                + "] where rank "
                + first
                + " calls ["
                + (shrinking.get(first) ? "shrink" : "agree")
                + "], make the same agreements in the same order at all members");
      }
    }
  }

  static CompletionStage<Team> shrink(Team team) {
    Members members = team.runner().members();
    int number = members.numbers().reserve();
    return team.runner()
        .agree(-1L, MemberNumbers.of(team.rank(), number))
        .thenApply(
            agreed -> {
              requireSameAgreement(team, agreed);
              return team.surviving(agreed);
            })
        .whenComplete(
            (made, failure) -> {
              if (made == null) {
                members.numbers().free(number);
              }
            });
  }
}
