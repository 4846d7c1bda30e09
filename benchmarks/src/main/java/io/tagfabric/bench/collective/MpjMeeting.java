package io.tagfabric.bench.collective;

import io.tagfabric.bench.compare.ContenderException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the processes of an MPJ Express job meet: each tells its ports and its rank, and when all
 * have come, each gets those of all. Done by a thread of its own, which ends with the last process
 * or when this is closed.
 *
 * @source MPJ Express 0.44, device niodev: the words its processes exchange with their starter
 */
final class MpjMeeting implements AutoCloseable {
  private final ServerSocket server;
  private final int ranks;
  private final Thread thread;

  private MpjMeeting(ServerSocket server, int ranks) {
    this.server = server;
    this.ranks = ranks;
    thread = new Thread(this::meet, "mpj-meeting");
    thread.setDaemon(true);
  }

  static MpjMeeting open(int ranks) throws ContenderException {
    try {
      MpjMeeting meeting =
          new MpjMeeting(new ServerSocket(0, ranks, InetAddress.getLoopbackAddress()), ranks);
      meeting.thread.start();
      return meeting;
    } catch (IOException failure) {
      throw new ContenderException("no port for MPJ Express: " + failure.getMessage(), failure);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  private void meet() {
    List<Socket> sockets = new ArrayList<>();
    String[] places = new String[ranks];
    try {
      while (sockets.size() < ranks) {
        Socket socket = server.accept();
        sockets.add(socket);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.readUTF();
        int writePort = in.readInt();
        int readPort = in.readInt();
        int rank = in.readInt();
        places[rank] = "localhost@" + readPort + "@" + writePort + "@" + rank;
      }
      String all = ";#Peer Information;" + String.join(";", places);
      for (Socket socket : sockets) {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeUTF(all);
        out.flush();
      }
    } catch (IOException | ArrayIndexOutOfBoundsException closedOrNonsense) {
      // the processes fail, and say so
      return;
    } finally {
      sockets.forEach(MpjMeeting::shut);
    }
  }

  private static void shut(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      return;
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException alreadyBroken) {
      return;
    }
  }
}
