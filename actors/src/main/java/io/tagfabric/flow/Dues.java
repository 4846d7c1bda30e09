package io.tagfabric.flow;

import io.tagfabric.wire.sbe.PacketHeaderEncoder;

/**
 * What this side of a flow owes its peer: acknowledgement of packets, credit for messages that were
 * taken, reports of missing packets. Every packet that leaves pays the first two.
 */
final class Dues {
  private static final int ACKNOWLEDGE_DELAY_PINGS = 4;

  private final FlowSettings settings;
  private final ReceiveWindow arrivals;

  private long consumedBytes;
  private long consumedMessages;
  private long arrivedMessages;
  private long announcedBytes;
  private long announcedMessages;
  private long announcedReceived;
  private boolean acknowledgeNow;
  private boolean reportMissing;
  private long missingReportedAt = -1;
  private long missingReportedNs;
  private long acknowledgementOwedSinceNs;

  Dues(FlowSettings settings, ReceiveWindow arrivals, long nowNs) {
    this.settings = settings;
    this.arrivals = arrivals;
    announcedBytes = settings.eagerCreditBytes();
    announcedMessages = settings.messageCredits();
    missingReportedNs = nowNs - settings.maxPingNs();
  }

  /** Writes everything owed into the header of a packet that leaves. */
  PacketHeaderEncoder pay(PacketHeaderEncoder header) {
    announcedBytes = consumedBytes + settings.eagerCreditBytes();
    announcedMessages = consumedMessages + settings.messageCredits();
    announcedReceived = arrivals.received();
    acknowledgeNow = false;
    return header
        .acknowledged(announcedReceived)
        .grantedBytes(announcedBytes)
        .grantedMessages(announcedMessages);
  }

  void messageArrived() {
    arrivedMessages++;
  }

  void consumedBytes(int payloadBytes) {
    consumedBytes += payloadBytes;
  }

  void consumedMessage() {
    consumedMessages++;
  }

  /** A counted packet has come; from the first unacknowledged one on the delay runs. */
  void packetComes(long nowNs) {
    if (!owesPackets()) {
      acknowledgementOwedSinceNs = nowNs;
    }
  }

  /** The peer must hear from this side with the next flush. */
  void acknowledgeNow() {
    acknowledgeNow = true;
  }

  /** The peer asks; the answer says what is missing too. */
  void answer() {
    acknowledgeNow = true;
    reportMissing = true;
  }

  /** A packet came before an earlier one: says so once for each gap. */
  void earlyPacket() {
    if (missingReportedAt != arrivals.received()) {
      missingReportedAt = arrivals.received();
      answer();
    }
  }

  /** Whether a report of missing packets is due now. */
  boolean owesReport() {
    return reportMissing && arrivals.hasGap();
  }

  /** A report of missing packets, or an acknowledgement without one, has left. */
  void acknowledged(boolean report, long nowNs) {
    reportMissing = false;
    missingReportedNs = report ? nowNs : missingReportedNs;
  }

  /** Whether a packet should leave even if it carries no frame. */
  boolean owesAcknowledgement() {
    return acknowledgeNow
        || arrivals.received() - announcedReceived >= settings.acknowledgeEvery()
        || consumedBytes + settings.eagerCreditBytes() - announcedBytes
            > settings.eagerCreditBytes() / 4
        || owesMessageCredit();
  }

  /** Enough to be worth a packet, or the sender is about to stall for it. */
  private boolean owesMessageCredit() {
    int quarter = settings.messageCredits() / 4;
    long owed = consumedMessages + settings.messageCredits() - announcedMessages;
    return owed > quarter || (owed > 0 && announcedMessages - arrivedMessages <= quarter);
  }

  boolean mustAcknowledgeNow() {
    return acknowledgeNow;
  }

  /** Whether packets have come that no packet of ours has acknowledged. */
  boolean owesPackets() {
    return arrivals.received() != announcedReceived;
  }

  /** When the acknowledgement is due that waits for a packet to ride in. */
  long acknowledgeAtNs() {
    return acknowledgementOwedSinceNs + ACKNOWLEDGE_DELAY_PINGS * settings.pingNs();
  }

  /**
   * The timer's part.
   *
   * @param patienceNs distance of reports of the same gap
   * @return whether something is due now
   */
  boolean tick(long nowNs, long patienceNs) {
    boolean due = false;
    if (owesPackets() && nowNs - acknowledgeAtNs() >= 0) {
      acknowledgeNow = true;
      due = true;
    }
    if (arrivals.hasGap() && nowNs - missingReportedNs >= patienceNs) {
      reportMissing = true;
      due = true;
    }
    return due;
  }
}
