package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank that fails waits for a debugger if it is told to. */
@Tag("jvms")
class FreezeTest {
  private static final String PORT_FOLLOWS = "Listening for transport dt_socket at address: ";

  @TempDir Path directory;

  @Test
  void shouldWaitForADebuggerWhenAProgramFails() throws Exception {
    try (Command command =
        Command.tagfabric(directory, "run", "-n", "1", "--freeze", "exit-cases", "102")) {
      command.awaitError("frozen, process");
      command.awaitError("io.tagfabric.job.Freeze.await(");
      command.awaitError("tagfabric-progress-");

      VirtualMachine debugged = attach(port(command.lines()));
      ClassType freeze = (ClassType) debugged.classesByName("io.tagfabric.job.Freeze").get(0);
      freeze.setValue(freeze.fieldByName("frozen"), debugged.mirrorOf(false));
      debugged.dispose();

      assertThat(command.end().code()).isEqualTo(1);
    }
  }

  @Test
  void shouldEndAFrozenJobWhenItIsInterrupted() {
    try (Command command =
        Command.tagfabric(directory, "run", "-n", "2", "--freeze", "exit-cases", "102")) {
      command.awaitError("frozen, process");

      command.signal("INT");

      assertThat(command.end().code()).isEqualTo(130);
    }
  }

  private static String port(List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains(PORT_FOLLOWS))
        .map(line -> line.substring(line.lastIndexOf(PORT_FOLLOWS) + PORT_FOLLOWS.length()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no port in " + lines))
        .strip();
  }

  private static VirtualMachine attach(String port) throws Exception {
    AttachingConnector sockets =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = sockets.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(port.substring(port.lastIndexOf(':') + 1));
    return sockets.attach(arguments);
  }
}
