package io.tagfabric.trials.soak;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric soak}: exchanges many messages and checks each. */
@Command(
    name = "soak",
    description = "Exchange many messages between two ranks and check each of them.",
    footer = {
      "",
      "Messages differ in length, tag and completion level; receives are exact or",
      "wildcard, and now and then none is posted. Ends with code 1 and says its seed",
      "if a message is lost, comes twice, out of order or with other bytes.",
      "",
      "With --kills all messages of a rank must have come as they were sent, up to",
      "the kill, and every receive that waits for more must fail, CONNECTION_RESET",
      "(over aeron also SHUTDOWN: nobody listens there any more); the rank that stays",
      "must notice nothing. cut_off counts those receives.",
      "",
      "With --cuts the connections of tcp break again and again, in their set-up, in",
      "the midst of a record or between two; they are made anew, and every byte must",
      "come as without.",
      "",
      "Example: tagfabric soak --provider artery --faults drop=1%%,reorder=1%%",
      "Example: tagfabric soak --provider shm --kills 4",
      "Example: tagfabric soak --provider tcp --cuts 100"
    })
public final class SoakCommand implements Callable<Integer> {
  @Mixin private SoakOptions options = new SoakOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (options.complaint() != null) {
      throw new ParameterException(spec.commandLine(), options.complaint());
    }
    Soak soak = new Soak(options);
    return options.isLocal()
        ? soak.runHere(spec.commandLine().getOut(), spec.commandLine().getErr())
        : soak.runRanks();
  }
}
