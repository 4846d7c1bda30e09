package io.tagfabric.bench.compare;

import java.nio.file.Path;
import java.util.List;

/** x */
final class ReportFile {
  ReportFile(Path file, int runs) {}

  void write(List<Result> results) {}
}
