package io.actiongovernance.localstack.aws;

import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Threads of a server: a few that listen, and a virtual thread for each request. Stateless. */
public final class RequestThreads {
  /**
   * Number of requests at once: no limit. Long requests, above all streams and receives from a
   * queue, mostly wait, and would keep others out.
   */
  private static final int ANY_NUMBER = 0;

  private RequestThreads() {}

  /**
   * @param most the most threads that listen at once, of which {@code least} are kept
   */
  public static QueuedThreadPool named(String name, int most, int least) {
    QueuedThreadPool threads = new QueuedThreadPool(most, least);
    threads.setName(name);
    threads.setVirtualThreadsExecutor(new VirtualThreadPool(ANY_NUMBER));
    return threads;
  }
}
