package io.tagfabric.job;

import akka.actor.ExtendedActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.error.FabricError;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes {@link JobMessage}s. */
@InternalApi
public final class JobMessageSerializer extends ControlSerializer {
  private static final int IDENTIFIER = 642;
  private static final String ENROLL = "E";
  private static final String READY = "R";
  private static final String ENTER = "B";
  private static final String LEAVE = "L";
  private static final String WELCOME = "w";
  private static final String REFUSED = "x";
  private static final String WAITING = "m";
  private static final String TABLE = "t";
  private static final String RELEASED = "r";
  private static final String ABSENT = "a";
  private static final String ALL_LEAVING = "l";
  private static final String LETTER = "X";

  /** Called by Akka. */
  public JobMessageSerializer(ExtendedActorSystem system) {
    super(system, IDENTIFIER, "a job message", "tagfabric job");
  }

  @Override
  public String manifest(Object o) {
    if (o instanceof JobCoordinator.Enter) {
      return ENTER;
    } else if (o instanceof JobMember.Released) {
      return RELEASED;
    } else if (o instanceof JobMember.Absent) {
      return ABSENT;
    } else if (o instanceof JobCoordinator.Enroll) {
      return ENROLL;
    } else if (o instanceof JobCoordinator.Ready) {
      return READY;
    } else if (o instanceof JobCoordinator.Leave) {
      return LEAVE;
    } else if (o instanceof JobMember.Welcome) {
      return WELCOME;
    } else if (o instanceof JobMember.Refused) {
      return REFUSED;
    } else if (o instanceof JobMember.Waiting) {
      return WAITING;
    } else if (o instanceof JobMember.Table) {
      return TABLE;
    } else if (o instanceof JobMember.AllLeaving) {
      return ALL_LEAVING;
    } else if (o instanceof ExitCoordinator.Letter) {
      return LETTER;
    }
    throw unknown(o);
  }

  @Override
  protected void write(Object o, DataOutputStream out) throws IOException {
    if (o instanceof JobCoordinator.Enter enter) {
      rank(out, enter.rank(), enter.incarnation());
      out.writeLong(enter.number());
      ref(out, enter.replyTo());
    } else if (o instanceof JobMember.Released released) {
      out.writeLong(released.number());
    } else if (o instanceof JobMember.Absent absent) {
      out.writeLong(absent.number());
      list(out, absent.ranks(), DataOutputStream::writeInt);
    } else if (o instanceof JobCoordinator.Enroll enroll) {
      applicant(out, enroll.applicant());
      ref(out, enroll.replyTo());
    } else if (o instanceof JobCoordinator.Ready ready) {
      rank(out, ready.rank(), ready.incarnation());
      out.writeUTF(ready.address().encode());
      ref(out, ready.replyTo());
    } else if (o instanceof JobCoordinator.Leave leave) {
      rank(out, leave.rank(), leave.incarnation());
      ref(out, leave.replyTo());
    } else if (o instanceof JobMember.Welcome welcome) {
      ref(out, welcome.coordinator());
    } else if (o instanceof JobMember.Refused refused) {
      out.writeInt(refused.error().code());
      out.writeUTF(refused.why());
    } else if (o instanceof JobMember.Waiting waiting) {
      out.writeUTF(waiting.missing());
    } else if (o instanceof JobMember.Table table) {
      RankMap ranks = table.ranks();
      out.writeInt(ranks.size());
      for (int rank = 0; rank < ranks.size(); rank++) {
        out.writeUTF(ranks.address(rank).encode());
        out.writeUTF(ranks.hostNames().get(rank));
        out.writeUTF(ranks.processes().get(rank));
      }
    } else if (o instanceof ExitCoordinator.Letter letter) {
      LetterCodec.write(out, letter);
    }
  }

  @Override
  protected Object read(DataInputStream in, String manifest) throws IOException {
    return switch (manifest) {
      case ENTER -> new JobCoordinator.Enter(in.readInt(), in.readLong(), in.readLong(), ref(in));
      case RELEASED -> new JobMember.Released(in.readLong());
      case ABSENT -> new JobMember.Absent(in.readLong(), list(in, DataInput::readInt));
      case ENROLL -> new JobCoordinator.Enroll(applicant(in), ref(in));
      case READY ->
          new JobCoordinator.Ready(
              in.readInt(), in.readLong(), EndpointAddress.parse(in.readUTF()), ref(in));
      case LEAVE -> new JobCoordinator.Leave(in.readInt(), in.readLong(), ref(in));
      case WELCOME -> new JobMember.Welcome(ref(in));
      case REFUSED -> new JobMember.Refused(FabricError.of(in.readInt()), in.readUTF());
      case WAITING -> new JobMember.Waiting(in.readUTF());
      case TABLE -> new JobMember.Table(rankMap(in));
      case ALL_LEAVING -> new JobMember.AllLeaving();
      case LETTER -> LetterCodec.read(in);
      default -> throw unknown(manifest);
    };
  }

  private static void rank(DataOutputStream out, int rank, long incarnation) throws IOException {
    out.writeInt(rank);
    out.writeLong(incarnation);
  }

  private static void applicant(DataOutputStream out, Roster.Applicant applicant)
      throws IOException {
    rank(out, applicant.rank(), applicant.incarnation());
    out.writeInt(applicant.size());
    out.writeUTF(applicant.node());
    out.writeUTF(applicant.host());
    out.writeUTF(applicant.process());
    out.writeInt(applicant.agreed().size());
    for (Map.Entry<String, String> setting : applicant.agreed().entrySet()) {
      out.writeUTF(setting.getKey());
      out.writeUTF(setting.getValue());
    }
  }

  private static Roster.Applicant applicant(DataInputStream in) throws IOException {
    int rank = in.readInt();
    long incarnation = in.readLong();
    int size = in.readInt();
    String node = in.readUTF();
    String host = in.readUTF();
    String process = in.readUTF();
    int count = in.readInt();
    Map<String, String> agreed = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      agreed.put(in.readUTF(), in.readUTF());
    }
    return new Roster.Applicant(rank, size, node, incarnation, host, process, agreed);
  }

  private static RankMap rankMap(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<EndpointAddress> addresses = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    List<String> processes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      addresses.add(EndpointAddress.parse(in.readUTF()));
      hosts.add(in.readUTF());
      processes.add(in.readUTF());
    }
    return RankMap.of(addresses, hosts, processes);
  }
}
