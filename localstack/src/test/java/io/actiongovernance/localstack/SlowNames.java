package io.actiongovernance.localstack;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolver.LookupPolicy;
import java.net.spi.InetAddressResolverProvider;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Looks names up for this JVM: those that a test has made slow take their time and lead to this
 * machine; the platform knows the others. Thread-safe.
 */
public final class SlowNames extends InetAddressResolverProvider {
  private static final Map<String, Slow> SLOW = new ConcurrentHashMap<>();

  /**
   * A name.
   *
   * @param asked opened when somebody first looks it up
   */
  record Slow(Duration takes, CountDownLatch asked) {}

  /** Makes a name that takes so long to look up. */
  static Slow add(String host, Duration takes) {
    Slow slow = new Slow(takes, new CountDownLatch(1));
    SLOW.put(host, slow);
    return slow;
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver platform = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        Slow slow = SLOW.get(host);
        if (slow == null) {
          return platform.lookupByName(host, policy);
        }
        slow.asked().countDown();
        try {
          TimeUnit.NANOSECONDS.sleep(slow.takes().toNanos());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return platform.lookupByAddress(address);
      }
    };
  }

  @Override
  public String name() {
    return "slow names of tests";
  }
}
