package io.tagfabric.error;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why an operation failed: libfabric's names and numbers, so that a reader of either project knows
 * them.
 *
 * <p>Codes below 256 are the operating system's errno values on Linux, codes from 256 on are fabric
 * specific.
 *
 * @source libfabric fi_errno(3)
 */
public enum FabricError {
  NO_ENTRY(2, "no such name or object"),
  IO(5, "the transport failed"),
  AGAIN(11, "no room now, try again after reading completions", true),
  NO_MEMORY(12, "no memory left"),
  ACCESS(13, "access refused"),
  BUSY(16, "still in use"),
  INVALID(22, "invalid argument"),
  NO_SPACE(28, "no space left"),
  NO_SYSTEM_CALL(38, "not offered by this provider"),
  NO_MESSAGE(42, "no matching message"),
  NO_DATA(61, "nothing fits the request"),
  PROTOCOL(71, "the peer broke the rules of the protocol"),
  MESSAGE_SIZE(90, "message too long"),
  NO_PROTOCOL_OPTION(92, "unknown option"),
  OPERATION_NOT_SUPPORTED(95, "never offered by this object"),
  ADDRESS_IN_USE(98, "address or name already taken"),
  ADDRESS_NOT_AVAILABLE(99, "address not available"),
  CONNECTION_ABORTED(103, "connection aborted"),
  CONNECTION_RESET(104, "peer lost"),
  SHUTDOWN(108, "peer or object is shut down"),
  TIMED_OUT(110, "timed out"),
  CONNECTION_REFUSED(111, "peer refused the connection"),
  HOST_UNREACHABLE(113, "no provider reaches the peer"),
  CANCELED(125, "cancelled"),
  KEY_REJECTED(129, "job or partition key refused"),
  OTHER(256, "unspecified error"),
  TOO_SMALL(257, "buffer too small"),
  BAD_STATE(258, "operation not permitted in this state"),
  AVAILABLE(259, "an error entry is available"),
  BAD_FLAGS(260, "flags not supported"),
  NO_EVENT_QUEUE(261, "no event queue bound"),
  DOMAIN(262, "objects belong to different domains"),
  NO_COMPLETION_QUEUE(263, "no completion queue bound"),
  CRC(264, "checksum mismatch"),
  TRUNCATED(265, "message longer than the receive buffer"),
  NO_KEY(266, "memory key not available"),
  NO_ADDRESS_VECTOR(267, "no address vector bound"),
  OVERRUN(268, "queue overrun"),
  NO_RECEIVE(269, "peer has no receive posted"),
  NO_MEMORY_REGION(270, "no such memory region");

  private final int code;
  private final String meaning;
  private final boolean retryable;

  FabricError(int code, String meaning) {
    this(code, meaning, false);
  }

  FabricError(int code, String meaning, boolean retryable) {
    this.code = code;
    this.meaning = meaning;
    this.retryable = retryable;
  }

  /** The number libfabric and errno give this error; positive. */
  public int code() {
    return code;
  }

  /** A short phrase for people. */
  public String meaning() {
    return meaning;
  }

  /** Whether the same call may succeed later with nothing changed but time. */
  public boolean retryable() {
    return retryable;
  }

  /** The error with this number; empty for one that a later version may have sent. */
  public static Optional<FabricError> find(int code) {
    return Arrays.stream(values()).filter(error -> error.code == code).findFirst();
  }

  /**
   * The error with this number.
   *
   * @throws IllegalArgumentException if no error has it
   */
  public static FabricError of(int code) {
    return find(code)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "code=" + code + " is not in the table of fabric errors"));
  }
}
