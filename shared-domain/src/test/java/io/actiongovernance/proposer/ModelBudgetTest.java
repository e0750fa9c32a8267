package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.operator.Operator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How often models may be asked in an hour. */
final class ModelBudgetTest {
  private static final String MODEL = ",'model':{'provider':'bedrock','model_id':'m'}";

  private final LoopFixture fixture = new LoopFixture();
  private final ModelBudget budget = new ModelBudget(fixture.store, fixture.time, 3);

  private static long taken(ModelBudget.Calls calls) {
    return Stream.generate(calls::take).takeWhile(taken -> taken).count();
  }

  private ModelBudget.Calls calls(String name) {
    return budget.of(fixture.operator(name, MODEL));
  }

  @Test
  void eachOperatorHasItsOwnHourlyNumberOfCalls() {
    ModelBudget.Calls one = calls("one-desk");
    assertThat(taken(one)).isEqualTo(3);
    assertThat(taken(calls("two-desk"))).isEqualTo(3);
    fixture.time.pass(Duration.ofHours(1));
    assertThat(taken(one)).isEqualTo(3);
  }

  @Test
  void aTenantHasFiveTimesTheCallsOfAnOperator() {
    long all =
        IntStream.range(0, 7)
            .mapToLong(number -> taken(calls("desk-" + number)))
            .peek(taken -> assertThat(taken).isBetween(0L, 3L))
            .sum();
    assertThat(all).isEqualTo(15);
  }

  @Test
  void concurrentCallsNeverExceedTheBudget() throws Exception {
    Operator operator = fixture.operator("busy-desk", MODEL);
    InstantSource still = InstantSource.fixed(fixture.time.instant());
    ModelBudget.Calls calls = new ModelBudget(fixture.store, still, 50).of(operator);
    Callable<Boolean> call = calls::take;
    long taken = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
      for (Future<Boolean> each :
          pool.invokeAll(IntStream.range(0, 200).mapToObj(_ -> call).toList())) {
        taken += each.get() ? 1 : 0;
      }
    }
    assertThat(List.of(taken)).containsExactly(50L);
  }
}
