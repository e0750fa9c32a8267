package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Reach;
import io.actiongovernance.access.Spread;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists of a tenant whose plans, actions and receipts are spread, and whose spread is raised. */
final class SpreadListsTest {
  private static final int EACH = 24;

  private final LoopFixture fixture = new LoopFixture();
  private final List<Plan> unheld = new ArrayList<>();
  private final List<Plan> held = new ArrayList<>();

  SpreadListsTest() {
    write();
    spread(4);
    write();
    spread(8);
    write();
  }

  private void write() {
    for (int number = 0; number < EACH; number++) {
      String order = "o" + (unheld.size() + held.size());
      unheld.add(fixture.propose(fixture.refund(order, 5)));
      fixture.deliver();
      held.add(fixture.propose(fixture.refund(order + "h", 500)));
      fixture.time.pass(Duration.ofMillis(7));
    }
  }

  private void spread(int shards) {
    var terms =
        fixture
            .store
            .get(Allowance.termsKey(fixture.caller.partition()))
            .map(item -> Allowance.spread(fixture.store, fixture.caller.partition()));
    if (terms.isEmpty()) {
      fixture.store.write(
          Allowance.define(
              fixture.caller.partition(), new Allowance.Terms(100, null, Spread.of(shards))));
    } else {
      Spread raised = terms.get().raised(shards, fixture.time.instant());
      assertThat(
              fixture
                  .store
                  .write(Allowance.raise(fixture.caller.partition(), terms.get(), raised))
                  .done())
          .isTrue();
      fixture.time.pass(Spread.NOTICE);
    }
  }

  @Test
  void plansOfAllSpreadsAreListedOnceInOrder() {
    List<String> all = new ArrayList<>();
    unheld.forEach(plan -> all.add(plan.id().value()));
    held.forEach(plan -> all.add(plan.id().value()));
    all.sort(Comparator.reverseOrder());
    assertThat(plans(null, null)).isEqualTo(all);
    assertThat(plans(PlanStatus.EXECUTED, null)).isEqualTo(newestFirst(unheld));
    assertThat(plans(PlanStatus.PROPOSED, null)).isEqualTo(newestFirst(held));
    assertThat(plans(null, WaitingOn.APPROVAL)).isEqualTo(newestFirst(held));
    assertThat(Set.copyOf(all.stream().map(id -> id.charAt(id.length() - 1)).toList()))
        .as("shards")
        .hasSize(8);
  }

  @Test
  void theApprovalQueueIsInTheOrderOfItsDeadlines() {
    List<String> found =
        pages(
            page ->
                fixture
                    .loop
                    .reading()
                    .listPlans()
                    .byDeadline(
                        fixture.caller.partition(),
                        filter(PlanStatus.PROPOSED, WaitingOn.APPROVAL),
                        page),
            plan -> plan.id().value());
    assertThat(found).isEqualTo(newestFirst(held).reversed());
  }

  @Test
  void actionsOfAllSpreadsAreListedOnce() {
    List<String> found = actions(null);
    assertThat(found).hasSize(unheld.size()).doesNotHaveDuplicates();
    for (Plan plan : List.of(unheld.getFirst(), unheld.getLast())) {
      assertThat(actions(plan)).isEqualTo(List.of(plan.terms().actionIds().getFirst().value()));
    }
    assertThat(actions(held.getFirst())).isEmpty();
  }

  @Test
  void receiptsOfAllSpreadsAreListedOnceInTheSpreadOfTheirPlan() {
    List<Receipt> all = receipts(Map.of());
    List<String> ids = all.stream().map(receipt -> receipt.id().value()).toList();
    assertThat(ids).doesNotHaveDuplicates().isSortedAccordingTo(Comparator.reverseOrder());
    List<Receipt> applied = receipts(Map.of(ReceiptFilter.Field.OUTCOME, "applied"));
    assertThat(applied).hasSize(unheld.size());
    for (Plan plan : List.of(unheld.getFirst(), unheld.getLast())) {
      String action = plan.terms().actionIds().getFirst().value();
      Receipt receipt = receipts(Map.of(ReceiptFilter.Field.PLAN, plan.id().value())).getFirst();
      assertThat(receipts(Map.of(ReceiptFilter.Field.ACTION, action))).containsExactly(receipt);
      assertThat(receipt.id().shard()).isEqualTo(plan.id().shard());
      assertThat(fixture.loop.reading().ledger().find(plan.partition(), receipt.id()))
          .contains(receipt);
    }
    assertThat(receipts(Map.of(ReceiptFilter.Field.ACTION, "act_nothing"))).isEmpty();
  }

  private List<String> plans(@Nullable PlanStatus status, @Nullable WaitingOn waitingOn) {
    return pages(
        page ->
            fixture
                .loop
                .reading()
                .listPlans()
                .list(fixture.caller.partition(), filter(status, waitingOn), page),
        plan -> plan.id().value());
  }

  private static ListPlans.Filter filter(
      @Nullable PlanStatus status, @Nullable WaitingOn waitingOn) {
    return new ListPlans.Filter(status, null, null, null, waitingOn, null, null, Reach.WHOLE);
  }

  private List<String> actions(@Nullable Plan plan) {
    ListActions.Filter filter =
        new ListActions.Filter(
            plan == null ? null : plan.id(), null, null, null, null, null, Reach.WHOLE, false);
    return pages(
        page -> fixture.loop.reading().listActions().list(fixture.caller.partition(), filter, page),
        (Action action) -> action.id().value());
  }

  private List<Receipt> receipts(Map<ReceiptFilter.Field, String> fields) {
    ReceiptFilter filter = new ReceiptFilter(fields, null, null, Reach.WHOLE);
    return pages(
        page ->
            fixture.loop.reading().listReceipts().list(fixture.caller.partition(), filter, page),
        Function.identity());
  }

  private static <T, R> List<R> pages(Function<PageRequest, Page<T>> list, Function<T, R> read) {
    List<R> all = new ArrayList<>();
    String after = null;
    do {
      Page<T> page = list.apply(new PageRequest(7, after));
      page.items().forEach(item -> all.add(read.apply(item)));
      after = page.next();
    } while (after != null);
    return all;
  }

  private static List<String> newestFirst(List<Plan> plans) {
    return plans.stream()
        .map(plan -> plan.id().value())
        .sorted(Comparator.reverseOrder())
        .collect(Collectors.toList());
  }
}
