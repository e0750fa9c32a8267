package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rate buckets under many requests at once, on embedded DynamoDB. */
final class DynamoRateLimitsTest {
  @Test
  void concurrentRequestsNeverExceedTheTokens() throws Exception {
    InstantSource clock = InstantSource.fixed(InstantSource.system().instant());
    RateLimits limits = new RateLimits(EmbeddedDynamo.store(), clock);
    Ids ids = new Ids(clock, new SecureRandom());
    Caller caller =
        new Caller(
            RequestId.next(ids),
            new Partition(TenantId.next(ids), Mode.LIVE),
            null,
            new Credential.Key(KeyId.next(ids), "reader", null),
            Role.READ_ONLY.scopes(),
            null,
            Set.of());
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.read", 20, "global.read", 30));
    Callable<Boolean> request = () -> limits.charge(caller, of, RateClass.PLANS, true).admitted();
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
