package io.tagfabric.job;

import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.Verdict;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Writes the mail of {@link ExitCoordinator}: sender, kind, then its fields in order. */
final class LetterCodec {
  private static final int REDUCE = 1;
  private static final int ELECT_REQUEST = 2;
  private static final int ELECT_REPLY = 3;
  private static final int EXIT_REQUEST = 4;
  private static final int EXIT_REPLY = 5;

  private LetterCodec() {}

  static void write(DataOutputStream out, ExitCoordinator.Letter letter) throws IOException {
    out.writeInt(letter.from());
    ExitMessage message = letter.message();
    if (message instanceof ExitMessage.Reduce reduce) {
      out.writeByte(REDUCE);
      out.writeLong(reduce.view());
      out.writeInt(reduce.round());
      verdict(out, reduce.verdict());
    } else if (message instanceof ExitMessage.ElectRequest request) {
      out.writeByte(ELECT_REQUEST);
      out.writeBoolean(request.knowsAll());
      verdict(out, request.verdict());
    } else if (message instanceof ExitMessage.ElectReply reply) {
      out.writeByte(ELECT_REPLY);
      out.writeLong(reply.epoch());
      out.writeInt(reply.leader());
    } else if (message instanceof ExitMessage.ExitRequest request) {
      out.writeByte(EXIT_REQUEST);
      out.writeLong(request.epoch());
      verdict(out, request.verdict());
    } else if (message instanceof ExitMessage.ExitReply reply) {
      out.writeByte(EXIT_REPLY);
      out.writeLong(reply.epoch());
    }
  }

  static ExitCoordinator.Letter read(DataInputStream in) throws IOException {
    int from = in.readInt();
    int kind = in.readByte();
    ExitMessage message =
        switch (kind) {
          case REDUCE -> new ExitMessage.Reduce(in.readLong(), in.readInt(), verdict(in));
          case ELECT_REQUEST -> new ExitMessage.ElectRequest(in.readBoolean(), verdict(in));
          case ELECT_REPLY -> new ExitMessage.ElectReply(in.readLong(), in.readInt());
          case EXIT_REQUEST -> new ExitMessage.ExitRequest(in.readLong(), verdict(in));
          case EXIT_REPLY -> new ExitMessage.ExitReply(in.readLong());
          default -> throw new IOException("kind=" + kind + " of mail is unknown");
        };
    return new ExitCoordinator.Letter(from, message);
  }

  private static void verdict(DataOutputStream out, Verdict verdict) throws IOException {
    out.writeInt(verdict.code());
    out.writeLong(verdict.atMs());
    out.writeInt(verdict.rank());
  }

  private static Verdict verdict(DataInputStream in) throws IOException {
    return new Verdict(in.readInt(), in.readLong(), in.readInt());
  }
}
