package io.actiongovernance.functions.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.TenantId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queue an action is sent through. */
final class ActionQueuesTest {
  private static final int LINES = 64;

  private static Partition tenant(int number) {
    return new Partition(new TenantId("t_%026d".formatted(number)), Mode.LIVE);
  }

  private static String line(int number) {
    return "order:" + number;
  }

  /** The queues that a tenant's lines lie in. */
  private static Set<Integer> pair(ActionQueues queues, Partition tenant) {
    Set<Integer> numbers = new HashSet<>();
    for (int at = 0; at < LINES; at++) {
      numbers.add(queues.of(tenant, line(at)).number());
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, ActionQueues.MOST})
  void aLineAlwaysGoesToTheSameQueue(int count) {
    for (int at = 0; at < 1_000; at++) {
      DeployedQueue queue = new ActionQueues(count).of(tenant(at % 10), line(at));
      assertThat(Queue.ACTIONS.deployed(count)).contains(queue);
      assertThat(new ActionQueues(count).of(tenant(at % 10), line(at))).isEqualTo(queue);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, ActionQueues.MOST})
  void aTenantUsesTwoQueues(int count) {
    ActionQueues queues = new ActionQueues(count);
    for (int number = 0; number < 100; number++) {
      assertThat(pair(queues, tenant(number))).hasSize(2);
    }
  }

  @Test
  void bothModesOfATenantUseTheSameTwoQueues() {
    ActionQueues queues = new ActionQueues(8);
    for (int number = 0; number < 100; number++) {
      Partition live = tenant(number);
      assertThat(pair(queues, new Partition(live.tenant(), Mode.TEST)))
          .isEqualTo(pair(queues, live));
    }
  }

  @Test
  void aTenantsLinesAreSplitEvenlyBetweenItsTwoQueues() {
    ActionQueues queues = new ActionQueues(8);
    Map<Integer, Integer> lines = new HashMap<>();
    for (int at = 0; at < 1_000; at++) {
      lines.merge(queues.of(tenant(7), line(at)).number(), 1, Integer::sum);
    }
    assertThat(lines.values()).hasSize(2).allMatch(count -> count > 400);
  }

  @Test
  void tenantsSpreadEvenlyAndFewShareBothQueues() {
    ActionQueues queues = new ActionQueues(8);
    List<Set<Integer>> pairs =
        IntStream.range(0, 2_800).mapToObj(number -> pair(queues, tenant(number))).toList();
    Map<Integer, Integer> tenants = new HashMap<>();
    Map<Set<Integer>, Integer> sharing = new HashMap<>();
    for (Set<Integer> pair : pairs) {
      pair.forEach(queue -> tenants.merge(queue, 1, Integer::sum));
      sharing.merge(pair, 1, Integer::sum);
    }
    // 700 tenants a queue and 100 a pair, if it were exact.
    assertThat(tenants).hasSize(8);
    assertThat(tenants.values()).allMatch(count -> count > 600 && count < 800);
    assertThat(sharing).hasSize(28);
    assertThat(sharing.values()).allMatch(count -> count > 50 && count < 160);
  }

  @Test
  void withOneQueueEveryTenantUsesIt() {
    assertThat(Stream.of(1, 2, 3).flatMap(one -> pair(new ActionQueues(1), tenant(one)).stream()))
        .containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 33})
  void theNumberOfQueuesIsFrom1To32(int count) {
    assertThatThrownBy(() -> new ActionQueues(count)).isInstanceOf(IllegalArgumentException.class);
  }
}
