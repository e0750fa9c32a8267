package io.actiongovernance.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Frozen time, against a clock that is watched second by second. */
class FreezesProperties {
  private static final int END = 60;

  /** A halt from one second until another, or still in force. */
  record Span(int from, @Nullable Integer until) {
    boolean covers(int second) {
      return from <= second && (until == null || second < until);
    }
  }

  @Provide
  Arbitrary<List<Span>> spans() {
    Arbitrary<Integer> from = Arbitraries.integers().between(0, END - 1);
    Arbitrary<Integer> length = Arbitraries.integers().between(0, 25).injectNull(0.1);
    return Combinators.combine(from, length)
        .as((start, time) -> span(start, time))
        .list()
        .ofMaxSize(6);
  }

  private static Span span(int start, @Nullable Integer time) {
    return new Span(start, time == null || start + time >= END ? null : start + time);
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.MIXIN)
  void aPlanExpiresWhenItsUnfrozenSecondsAreUsedUp(
      @ForAll("spans") List<Span> spans,
      @ForAll @IntRange(max = END - 1) int proposed,
      @ForAll @IntRange(min = 1, max = END) int ttl) {
    TestTime time = new TestTime();
    Instant origin = time.instant();
    InMemoryStore store = new InMemoryStore();
    Ids ids = new Ids(time, new Random(7));
    Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
    // Those of one target do not overlap, so each is of a connector of its own.
    Set<ConnectorId> connectors = new HashSet<>();
    for (Span span : spans) {
      ConnectorId connector = ConnectorId.next(ids);
      connectors.add(connector);
      Halt halt =
          new Halt(
              HaltId.next(ids),
              partition,
              new Target(HaltScope.CONNECTOR, connector.value()),
              null,
              "r",
              "k",
              new Principal(Principal.Type.KEY, "key_1", "k", null),
              origin.plusSeconds(span.from()),
              null);
      store.write(HaltRegister.enter(halt));
      if (span.until() != null) {
        Instant until = origin.plusSeconds(span.until());
        store.write(HaltRegister.leave(halt, until));
        store.write(HaltRegister.keep(halt, until));
      }
    }
    time.pass(Duration.ofSeconds(END));
    Instant proposedAt = origin.plusSeconds(proposed);
    Freeze freeze =
        new HaltRegister(store, time)
            .freezes(partition)
            .of(proposedAt, proposedAt.plusSeconds(ttl), OperatorId.next(ids), connectors);

    int left = ttl;
    int frozen = 0;
    for (int second = proposed; second < END && left > 0; second++) {
      int at = second;
      if (spans.stream().anyMatch(span -> span.covers(at))) {
        frozen++;
      } else {
        left--;
      }
    }
    assertThat(freeze.frozen()).isEqualTo(Duration.ofSeconds(frozen));
    boolean standing = left > 0 && spans.stream().anyMatch(span -> span.until() == null);
    assertThat(freeze.standing()).isEqualTo(standing);
  }
}
