package io.tagfabric.docs;

// #ring-file
import akka.util.ByteString;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;

// #ring
/** Each rank greets the next one. */
public final class Ring {
  static int run(Job job) {
    var futures = job.endpoint().futures();
    int next = job.peer((job.rank() + 1) % job.size());
    futures.sendTagged(next, ByteString.fromString("rank " + job.rank() + " says hello"), 7);
    TaggedMessage got = futures.receiveTagged(TagSelector.exact(7)).toCompletableFuture().join();
    System.out.println(new String(got.payload().array(), StandardCharsets.UTF_8));
    job.barrier();
    return 0;
  }

  public static void main(String[] args) {
    Job.run(args, Ring::run);
  }
}
// #ring
// #ring-file
