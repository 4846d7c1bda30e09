package io.tagfabric.wire;

/**
 * Takes the frames of some kinds, wherever they come from. Registered in {@link FrameServices} by
 * the package that knows what the kinds mean.
 *
 * <p>A service decodes its frame itself, once. It takes credit for what it will hold or do ({@link
 * FrameOrigin#admit}, {@link FrameOrigin#admitReply}) before it allocates anything. What does not
 * follow the schema it reports by {@link FrameCursor#malformed}, what breaks a rule by {@link
 * FrameOrigin#breach}; both cost the sender its flow, and nobody else anything. What it throws is a
 * defect and ends the endpoint.
 *
 * <p>Thread: the domain's loop. The frame is there only during the call.
 *
 * @source Open MPI ob1, UCX: one callback for each kind of header, registered by its service
 */
@FunctionalInterface
public interface FrameService {
  /** Takes the frame that the cursor stands on. */
  void onFrame(FrameOrigin origin, FrameCursor frame);
}
