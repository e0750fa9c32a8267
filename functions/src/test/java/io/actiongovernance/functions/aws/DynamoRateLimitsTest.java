package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rate buckets under many requests at once, on embedded DynamoDB. */
final class DynamoRateLimitsTest {
  @Test
  void requestsAtOnceTakeNoMoreTokensThanThereAre() throws Exception {
    InstantSource clock = InstantSource.fixed(InstantSource.system().instant());
    RateLimits limits = new RateLimits(EmbeddedDynamo.store(), clock);
    TenantId tenant = TenantId.next(new Ids(clock, new SecureRandom()));
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.read", 20, "global.read", 30));
    Callable<Boolean> request = () -> limits.charge(tenant, of, RateClass.PLANS, true).admitted();
    int admitted = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> all =
          pool.invokeAll(IntStream.range(0, 100).mapToObj(_ -> request).toList());
      for (Future<Boolean> each : all) {
        admitted += each.get() ? 1 : 0;
      }
    }
    assertThat(admitted).isEqualTo(30);
  }
}
