package io.tagfabric.collective.run;

/** What members of a team tell one another about the team itself. */
sealed interface ControlMessage
    permits Notice, Proposal, Departure, SegmentOffer, SegmentAnswer, SegmentVerdict, Wake {}
