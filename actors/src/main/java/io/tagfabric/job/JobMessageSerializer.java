package io.tagfabric.job;

import akka.actor.ExtendedActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.error.FabricError;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.job.ExitCoordinator.Letter;
import java.util.List;
import java.util.stream.IntStream;

/** Writes {@link JobMessage}s. */
@InternalApi
public final class JobMessageSerializer extends ControlSerializer {
  private static final int IDENTIFIER = 642;

  /** Called by Akka. */
  public JobMessageSerializer(ExtendedActorSystem system) {
    super(system, IDENTIFIER, "a job message", "tagfabric job", JobMessageSerializer::messages);
  }

  private static ControlCodec.Builder messages(ControlCodec.Builder table) {
    return table
        .as(FabricError.class, Integer.class, FabricError::code, FabricError::of)
        .as(EndpointAddress.class, String.class, EndpointAddress::encode, EndpointAddress::parse)
        .as(RankMap.class, Places.class, Places::of, Places::ranks)
        .message(20, JobCoordinator.Enroll.class)
        .message(21, JobCoordinator.Ready.class)
        .message(22, JobCoordinator.Enter.class)
        .message(23, JobCoordinator.Leave.class)
        .message(24, JobMember.Welcome.class)
        .message(25, JobMember.Refused.class)
        .message(26, JobMember.Waiting.class)
        .message(27, JobMember.Table.class)
        .message(28, JobMember.Released.class)
        .message(29, JobMember.Absent.class)
        .message(30, JobMember.AllLeaving.class)
        .message(31, Letter.class, Letter::message, ExitMessage.Reduce.class)
        .message(32, Letter.class, Letter::message, ExitMessage.ElectRequest.class)
        .message(33, Letter.class, Letter::message, ExitMessage.ElectReply.class)
        .message(34, Letter.class, Letter::message, ExitMessage.ExitRequest.class)
        .message(35, Letter.class, Letter::message, ExitMessage.ExitReply.class)
        .message(36, Letter.class, Letter::message, ExitMessage.Prepare.class)
        .message(37, Letter.class, Letter::message, ExitMessage.Promise.class)
        .message(38, JobCoordinator.Seen.class);
  }

  /** A map of ranks as it is written. */
  private record Places(
      List<EndpointAddress> addresses, List<String> hosts, List<String> processes) {
    static Places of(RankMap ranks) {
      List<EndpointAddress> addresses =
          IntStream.range(0, ranks.size()).mapToObj(ranks::address).toList();
      return new Places(addresses, ranks.hostNames(), ranks.processes());
    }

    RankMap ranks() {
      return RankMap.of(addresses, hosts, processes);
    }
  }
}
