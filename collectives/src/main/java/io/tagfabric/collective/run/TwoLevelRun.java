package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Levels;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.algorithm.TwoLevel;
import io.tagfabric.collective.host.SharedCall;
import io.tagfabric.collective.host.SharedSegment;
import io.tagfabric.collective.host.SharedWork;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.schedule.Schedule;
import java.util.BitSet;

/**
 * A collective in two levels: up, where the members of a host combine what they have in its memory;
 * across, where the leaders take it to each other by messages; down, where the host's memory
 * spreads the result.
 *
 * <p>A long vector goes segment by segment, and a segment is on its way up while the one before
 * goes across. All members of a host take the turns up and down in the same order, whatever comes
 * first: up 0, up 1, down 0, up 2, down 1, ...
 *
 * <p>On a host whose members cannot share memory they send messages instead; other hosts need not
 * know.
 */
final class TwoLevelRun extends SchedulesRun {
  /** The name of what carried it. */
  private static final String TIER = SharedRun.TIER + "+" + MessageRun.TIER;

  /** So many segments may have gone up and not come down. */
  private static final int AHEAD = 2;

  private final TwoLevelTier tier;
  private final TwoLevel algorithm;
  private final Levels levels;
  private final Elements[] ofHost = new Elements[AHEAD];
  private final BitSet crossed = new BitSet();
  private boolean begun;
  private int up;
  private int down;
  private boolean inTurn;
  private boolean advancing;
  private boolean refused;

  TwoLevelRun(
      TwoLevelTier tier,
      CollectiveCall call,
      Shape shape,
      TwoLevel algorithm,
      long epoch,
      CallEnd end,
      Listener listener) {
    super(
        tier.port(),
        apart(call, algorithm.levels(shape)),
        shape,
        Segments.of(shape.count(), tier.settings().segmentBytes(), call.output().kind().bytes()),
        tier.settings(),
        epoch,
        end,
        listener);
    this.tier = tier;
    this.algorithm = algorithm;
    this.levels = algorithm.levels(shape);
  }

  /** In company the input has been read before the output is written, if they are the same. */
  private static CollectiveCall apart(CollectiveCall call, Levels levels) {
    return levels.hasCompany() && call.input().isSame(call.output()) ? call : call.apart();
  }

  @Override
  void start() {
    tier.start(this);
  }

  /** It is this call's turn. */
  void begin() {
    begun = true;
    compareThen(this::advance);
  }

  boolean hasBegun() {
    return begun;
  }

  /** Takes turns until one has to wait. */
  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    while (!isOver() && !inTurn && nextTurn()) {
      // Each turn has been taken.
    }
    advancing = false;
  }

  /** False if it must wait, or all is done. */
  private boolean nextTurn() {
    if (down == segments.number()) {
      end(algorithm.label(), refused ? MessageRun.TIER : TIER);
      tier.ended();
      return false;
    }
    if (up < segments.number() && up - down < AHEAD) {
      goUp();
      return true;
    }
    if (levels.leads() && !crossed.get(down)) {
      return false;
    }
    goDown();
    return true;
  }

  private void goUp() {
    if (algorithm.hasUp() && levels.hasCompany()) {
      inTurn = true;
      tier.host().start(new Up(up));
    } else {
      hasGoneUp(part(call().input(), up));
    }
  }

  private void hasGoneUp(Elements hosts) {
    int segment = up++;
    if (levels.leads()) {
      Elements output = part(call().output(), segment);
      Schedule schedule = algorithm.across(segments.shape(shape(), segment));
      run(schedule, hosts, output, segment, () -> hasCrossed(segment));
    }
  }

  private void hasCrossed(int segment) {
    crossed.set(segment);
    advance();
  }

  private void goDown() {
    if (algorithm.hasDown() && levels.hasCompany()) {
      inTurn = true;
      tier.host().start(new Down(down));
    } else {
      down++;
    }
  }

  private Elements part(Elements whole, int segment) {
    return segments.part(whole, segment);
  }

  /** Where a segment goes that this host has combined; of who does not lead, where nothing goes. */
  private Elements sumOfHost(int segment) {
    if (!levels.leads()) {
      return Elements.none(call().output().kind());
    }
    int slot = segment % AHEAD;
    if (ofHost[slot] == null) {
      ofHost[slot] = Elements.allocate(call().output().kind(), segments.lengthOf(segment));
    }
    return ofHost[slot].part(0, segments.lengthOf(segment));
  }

  /** What members of the host do together. */
  private abstract class Turn implements SharedTier.Task {
    final int segment;
    final Elements input;
    final Elements output;
    private final Collective collective;

    Turn(Collective collective, int segment, Elements input, Elements output) {
      this.collective = collective;
      this.segment = segment;
      this.input = input;
      this.output = output;
    }

    /** The same by messages. */
    abstract Schedule schedule(Shape shape);

    abstract void ended();

    @Override
    public SharedWork work(SharedSegment memory) {
      Shape within = levels.within(segments.lengthOf(segment));
      return SharedWork.of(
          new SharedCall(signature().hash(), collective, within, input, output, call().operator()),
          memory);
    }

    @Override
    public void onDone() {
      if (!isOver()) {
        inTurn = false;
        ended();
        advance();
      }
    }

    @Override
    public void onRefused() {
      refused = true;
      run(schedule(segments.shape(shape(), segment)), input, output, segment, this::onDone);
    }
  }

  private final class Up extends Turn {
    Up(int segment) {
      super(
          call().collective() == Collective.BARRIER ? Collective.GATHER : Collective.REDUCE,
          segment,
          part(call().input(), segment),
          sumOfHost(segment));
    }

    @Override
    Schedule schedule(Shape shape) {
      return algorithm.up(shape);
    }

    @Override
    void ended() {
      hasGoneUp(output);
    }
  }

  private final class Down extends Turn {
    Down(int segment) {
      super(
          Collective.BROADCAST,
          segment,
          Elements.none(call().output().kind()),
          part(call().output(), segment));
    }

    @Override
    Schedule schedule(Shape shape) {
      return algorithm.down(shape);
    }

    @Override
    void ended() {
      down++;
    }
  }
}
