package io.tagfabric.demos;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Reads the arguments of a program before its job starts. All ranks get the same ones, so rank 0
 * alone complains and all end with {@link ExitCode#USAGE}.
 */
public final class Arguments {
  /** A check that one option alone cannot make. */
  @FunctionalInterface
  public interface Check {
    /**
     * @return what is wrong, in one sentence, or null
     */
    String complaint(int size);
  }

  private Arguments() {}

  /** Fills the options of a picocli command; ends the process if that is not possible. */
  public static void parse(Object options, String[] args, Check check) {
    CommandLine command = new CommandLine(options);
    try {
      command.parseArgs(args);
    } catch (ParameterException mistake) {
      refuse(command.getCommandName(), mistake.getMessage());
    }
    if (command.isUsageHelpRequested()) {
      if (isFirst()) {
        command.usage(System.out);
      }
      System.exit(ExitCode.OK);
    }
    String complaint = check.complaint(job(JobSettings.SIZE));
    if (complaint != null) {
      refuse(command.getCommandName(), complaint);
    }
  }

  /** For programs without options. */
  static void requireNone(String program, String[] args) {
    if (args.length > 0) {
      refuse(program, "takes no arguments, got " + String.join(" ", args));
    }
  }

  private static void refuse(String program, String sentence) {
    if (isFirst()) {
      System.err.println(program + ": " + sentence);
    }
    System.exit(ExitCode.USAGE);
  }

  private static boolean isFirst() {
    return job(JobSettings.RANK) == 0;
  }

  private static int job(Setting<Integer> setting) {
    return Settings.of(ConfigFactory.load()).get(setting);
  }
}
