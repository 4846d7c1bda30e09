package io.tagfabric.flow;

import io.tagfabric.wire.sbe.PacketHeaderEncoder;

/**
 * What this side of a flow owes its peer: acknowledgement of packets and of delivery, credit for
 * messages that were taken, reports of missing packets. Every packet that leaves pays all but the
 * last.
 *
 * <p>Byte credit is a promise backed by the endpoint's budget: {@code promised} bytes are those the
 * peer may still send and those it has sent that no receive has matched. When half of it is gone, a
 * peer that has never sent is promised a part only: idle peers must not hold it.
 */
final class Dues {
  private static final int ACKNOWLEDGE_DELAY_PINGS = 4;
  private static final int IDLE_SHARE = 8;
  private static final long LEAST_IDLE_BYTES = 64 * 1024;

  private final FlowSettings settings;
  private final UnexpectedBudget budget;
  private final ReceiveWindow arrivals;
  private final long creditBytes;
  private final long idleCreditBytes;

  private long promisedBytes;
  private long consumedBytes;
  private long consumedMessages;
  private long arrivedBytes;
  private long arrivedMessages;
  private long announcedMessages;
  private long announcedReceived;
  private long announcedDelivered;
  private long processed;
  private int unprocessedPackets;
  private long deliveryAsked;
  private boolean acknowledgeNow;
  private boolean reportMissing;
  private long missingReportedAt = -1;
  private long missingReportedNs;
  private long acknowledgementOwedSinceNs;
  private boolean ended;

  Dues(FlowSettings settings, UnexpectedBudget budget, ReceiveWindow arrivals, long nowNs) {
    this.settings = settings;
    this.budget = budget;
    this.arrivals = arrivals;
    creditBytes = settings.eagerCreditBytes();
    idleCreditBytes = Math.min(creditBytes, Math.max(creditBytes / IDLE_SHARE, LEAST_IDLE_BYTES));
    announcedMessages = settings.messageCredits();
    missingReportedNs = nowNs - settings.maxPingNs();
  }

  /** Writes everything owed into the header of a packet that leaves. */
  PacketHeaderEncoder pay(PacketHeaderEncoder header) {
    long more = owedBytes();
    if (more > 0) {
      budget.take(more);
      promisedBytes += more;
    }
    announcedMessages = consumedMessages + settings.messageCredits();
    announcedReceived = arrivals.received();
    announcedDelivered = delivered();
    acknowledgeNow = false;
    return header
        .acknowledged(announcedReceived)
        .delivered(announcedDelivered)
        .grantedBytes(consumedBytes + promisedBytes)
        .grantedMessages(announcedMessages);
  }

  /** Byte credit that the peer could get now. */
  private long owedBytes() {
    if (ended) {
      return 0;
    }
    boolean idle = arrivedBytes == 0 && !budget.isPlentiful();
    long target = idle ? idleCreditBytes : creditBytes;
    return Math.min(target - promisedBytes, budget.freeBytes());
  }

  /**
   * A message has come, or its beginning; its bytes are none if they need no credit.
   *
   * @return false if the peer had no credit for it; then it must not be kept
   */
  boolean arrived(long payloadBytes) {
    if (arrivedMessages >= announcedMessages
        || payloadBytes > consumedBytes + promisedBytes - arrivedBytes) {
      return false;
    }
    arrivedMessages++;
    arrivedBytes += payloadBytes;
    return true;
  }

  /** Why {@link #arrived} was false. */
  String overdraft(long payloadBytes) {
    return "a message of payloadBytes="
        + payloadBytes
        + " is beyond the credit it was given: arrivedMessages="
        + arrivedMessages
        + " of grantedMessages="
        + announcedMessages
        + ", arrivedBytes="
        + arrivedBytes
        + " of grantedBytes="
        + (consumedBytes + promisedBytes)
        + "; run the same version of Tagfabric everywhere";
  }

  /** Payload bytes that have come so far. */
  long arrivedBytes() {
    return arrivedBytes;
  }

  /** What has come since then is not kept. */
  void dropArrivedSince(long earlierBytes) {
    consumedBytes((int) (arrivedBytes - earlierBytes));
  }

  /** A receive has taken an eager message, or nobody ever will. */
  void consumedBytes(int payloadBytes) {
    consumedBytes += payloadBytes;
    promisedBytes -= payloadBytes;
    budget.giveBack(payloadBytes);
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

  /** Messages of a packet were handed on and are not placed or buffered yet. */
  void packetHandedOn() {
    unprocessedPackets++;
  }

  /** They are now. */
  void packetProcessed(long sequence) {
    unprocessedPackets--;
    processed = sequence;
  }

  /** All messages of packets up to this one are placed or buffered. */
  private long delivered() {
    return unprocessedPackets == 0 ? arrivals.received() : processed;
  }

  /** The peer wants to know when packets up to this one are delivered. */
  void confirmDelivery(long sequence) {
    deliveryAsked = Math.max(deliveryAsked, sequence);
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
        || owedBytes() > creditBytes / 4
        || owesMessageCredit()
        || (deliveryAsked > announcedDelivered && delivered() >= deliveryAsked);
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

  /** The flow has ended: what was promised and not used is free; what has come is still held. */
  void end() {
    ended = true;
    long unused = promisedBytes - (arrivedBytes - consumedBytes);
    promisedBytes -= unused;
    budget.giveBack(unused);
  }
}
