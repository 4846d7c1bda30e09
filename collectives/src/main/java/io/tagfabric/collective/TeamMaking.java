package io.tagfabric.collective;

import io.tagfabric.collective.reduce.Elements;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Makes teams out of a team: all members learn what they need in one collective. */
final class TeamMaking {
  private TeamMaking() {}

  private record Wish(int rank, int color, int key) {}

  static CompletionStage<Team> split(Team team, int color, int key) {
    int[] own = {color, key, nextContext(team)};
    Elements all = Elements.of(new int[own.length * team.size()]);
    return team.allgather(Elements.of(own), all)
        .thenApply(notUsed -> joined(team, color, all.ints()));
  }

  private static Team joined(Team team, int color, int[] all) {
    List<Wish> wishes = new ArrayList<>();
    int context = 0;
    for (int rank = 0; rank < team.size(); rank++) {
      wishes.add(new Wish(rank, all[3 * rank], all[3 * rank + 1]));
      context = Math.max(context, all[3 * rank + 2]);
    }
    List<Integer> ranks =
        wishes.stream()
            .filter(wish -> wish.color() == color && color >= 0)
            .sorted(Comparator.comparingInt(Wish::key).thenComparingInt(Wish::rank))
            .map(Wish::rank)
            .toList();
    return team.derive(ranks, context);
  }

  static CompletionStage<Team> create(Team team, List<Integer> ranks) {
    for (int rank : ranks) {
      if (rank < 0 || rank >= team.size()) {
        throw new IllegalArgumentException(
            "rank=" + rank + " is outside 0.." + (team.size() - 1) + ", name ranks of the team");
      }
    }
    int place = ranks.indexOf(team.rank());
    return split(team, place < 0 ? -1 : 0, place);
  }

  static CompletionStage<Team.Agreement> agree(Team team, long flag) {
    return team.runner()
        .agree(flag, 0)
        .thenApply(
            agreed -> new Team.Agreement(agreed.flag(), agreed.lost().stream().boxed().toList()));
  }

  static CompletionStage<Team> shrink(Team team) {
    return team.runner()
        .agree(-1L, nextContext(team))
        .thenApply(
            agreed -> {
              List<Integer> alive = new ArrayList<>();
              for (int rank = 0; rank < team.size(); rank++) {
                if (!agreed.lost().get(rank)) {
                  alive.add(rank);
                }
              }
              return team.derive(alive, agreed.nextContext());
            });
  }

  private static int nextContext(Team team) {
    return Contexts.of(team.runner().members().endpoint()).next();
  }
}
