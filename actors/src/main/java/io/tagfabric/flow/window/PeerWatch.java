package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.TimeSource;

/**
 * When the peer was heard, how long an answer takes, when to ask again and when to give up. Over a
 * reliable channel nothing is timed: the channel says itself when it is closed.
 */
@InternalApi
public final class PeerWatch {
  private static final int PING_ROUND_TRIPS = 4;

  private final TimeSource time;
  private final FlowSettings settings;
  private boolean reliable;

  private long lastHeardNs;
  private long lastAskedNs;
  private boolean awaiting;
  private long silenceNs;
  private long silenceCountedNs;
  private long pingIntervalNs;
  private long lastReplayNs;
  private long timedSequence;
  private long timedSinceNs;
  private long roundTripNs;

  public PeerWatch(TimeSource time, FlowSettings settings, boolean reliable) {
    this.time = time;
    this.settings = settings;
    this.reliable = reliable;
    pingIntervalNs = settings.pingNs();
    lastHeardNs = time.nanoTime();
    lastAskedNs = lastHeardNs;
    silenceCountedNs = lastHeardNs;
    lastReplayNs = lastHeardNs - settings.maxPingNs();
  }

  /** Whether packets may be lost is another matter from now on; none has been sent yet. */
  public void reliable(boolean isReliable) {
    reliable = isReliable;
  }

  /** A packet came. */
  public void heard() {
    if (!reliable) {
      lastHeardNs = time.nanoTime();
      silenceCountedNs = lastHeardNs;
      silenceNs = 0;
    }
  }

  public long lastHeardNs() {
    return lastHeardNs;
  }

  /**
   * A counted packet is with the channel.
   *
   * @param oldest whether it is the oldest one unacknowledged
   */
  void sent(long sequence, boolean oldest) {
    if (!oldest && timedSequence != 0) {
      return;
    }
    long nowNs = time.nanoTime();
    if (oldest) {
      lastAskedNs = nowNs;
    }
    if (timedSequence == 0) {
      timedSequence = sequence;
      timedSinceNs = nowNs;
    }
  }

  /** Packets up to this one are acknowledged; smooths the round trip, the peer's delay included. */
  public void acknowledged(long sequence) {
    if (timedSequence != 0 && sequence >= timedSequence) {
      long sampleNs = lastHeardNs - timedSinceNs;
      roundTripNs = roundTripNs == 0 ? sampleNs : roundTripNs + (sampleNs - roundTripNs) / 8;
      timedSequence = 0;
    }
    pingIntervalNs = firstPingNs();
    lastAskedNs = lastHeardNs;
  }

  /** Asking sooner than answers can come would only add load where it hurts. */
  public long firstPingNs() {
    long patientNs = Math.max(settings.pingNs(), PING_ROUND_TRIPS * roundTripNs);
    return Math.min(patientNs, settings.maxPingNs());
  }

  /** Whether a replay is not too soon after the last one; if so it counts as done now. */
  public boolean startReplay() {
    long patientNs = Math.min(Math.max(settings.pingNs(), roundTripNs), settings.maxPingNs());
    if (reliable || lastHeardNs - lastReplayNs < patientNs) {
      return false;
    }
    lastReplayNs = lastHeardNs;
    // Karn: the time of a packet sent twice says nothing, and would grow with every loss.
    timedSequence = 0;
    lastAskedNs = lastHeardNs;
    return true;
  }

  /** Silence counts from the moment on that the peer is needed. */
  public void watch(boolean awaitsPeer) {
    if (reliable) {
      return;
    }
    if (awaitsPeer && !awaiting) {
      silenceCountedNs = time.nanoTime();
      silenceNs = 0;
      lastAskedNs = silenceCountedNs;
      pingIntervalNs = firstPingNs();
    }
    awaiting = awaitsPeer;
  }

  /** When to ask the peer that is needed. */
  public long pingAtNs() {
    return (lastHeardNs - lastAskedNs > 0 ? lastHeardNs : lastAskedNs) + pingIntervalNs;
  }

  /** The peer is being asked; the next time after twice as long. */
  public void asked(long nowNs) {
    lastAskedNs = nowNs;
    pingIntervalNs = Math.min(2 * pingIntervalNs, settings.maxPingNs());
  }

  /** The peer would be asked, but others come first: it cannot answer what it was not asked. */
  public void heldBack(long nowNs) {
    long dueNs = pingAtNs();
    if (dueNs - silenceCountedNs > 0) {
      silenceNs(dueNs);
    }
    silenceCountedNs = nowNs;
  }

  /** How long the peer has been silent although it is needed. */
  public long silenceNs(long nowNs) {
    // Time in which this side did not look either is not the peer's silence.
    silenceNs += Math.min(nowNs - silenceCountedNs, 2 * settings.maxPingNs());
    silenceCountedNs = nowNs;
    return silenceNs;
  }
}
