package io.actiongovernance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The pace of a connector: no minute has more requests than its listing allows. */
class PacerProperties {
  @Property(tries = 50)
  void noMinuteHasMoreThanAllowed(
      @ForAll @IntRange(min = 1, max = 120) int perMinute,
      @ForAll @Size(max = 300) List<@IntRange(max = 2000) Integer> pauses) {
    ConnectorFixture it = new ConnectorFixture();
    Connector connector = paced(it, perMinute);
    Pacer pacer = new Pacer(it.store, it.time);
    List<Instant> taken = new ArrayList<>();
    for (int pause : pauses) {
      it.time.pass(Duration.ofMillis(pause));
      if (pacer.take(connector).isEmpty()) {
        taken.add(it.time.instant());
      }
    }
    for (int at = perMinute; at < taken.size(); at++) {
      assertThat(Duration.between(taken.get(at - perMinute), taken.get(at)))
          .isGreaterThanOrEqualTo(Duration.ofMinutes(1));
    }
  }

  @Property(tries = 50)
  void aCallThatWaitsAsToldIsAdmitted(@ForAll @IntRange(min = 1, max = 6000) int perMinute) {
    ConnectorFixture it = new ConnectorFixture();
    Connector connector = paced(it, perMinute);
    Pacer pacer = new Pacer(it.store, it.time);
    for (int call = 0; call < 150; call++) {
      Optional<Instant> notBefore = pacer.take(connector);
      if (notBefore.isPresent()) {
        it.time.sleep(Duration.between(it.time.instant(), notBefore.get()));
        assertThat(pacer.take(connector)).isEmpty();
      }
    }
  }

  private static Connector paced(ConnectorFixture it, int perMinute) {
    return it.installed(
        "{'listing_id':'cn-http','name':'acme','config':{'base_url':'https://a.example','requests_per_minute':%d,'tools':[%s]}}"
            .formatted(perMinute, ConnectorFixture.PAY));
  }
}
