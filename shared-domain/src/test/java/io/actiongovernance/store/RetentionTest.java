package io.actiongovernance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.ModelExchange;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.receipt.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rows an archive may take out of their tables, and when. */
final class RetentionTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final InMemoryStore store = new InMemoryStore();
  private final LoopFixture fixture = new LoopFixture(store);

  private Item row(Plan plan) {
    return store.get(Plans.key(plan.partition(), plan.id())).orElseThrow();
  }

  private Item row(Action action) {
    return store.get(Actions.key(action.partition(), action.id())).orElseThrow();
  }

  private Action action(Plan plan) {
    return fixture.action(plan, 0);
  }

  private Plan held() {
    return fixture.propose(fixture.refund("1", 500));
  }

  private Plan applied() {
    Plan plan = held();
    fixture.time.pass(HOUR);
    fixture.approve(plan);
    return fixture.again(plan);
  }

  private Plan unknown() {
    fixture.source = _ -> new CallResult.Unknown("Nobody answered.", false);
    return applied();
  }

  private void resolve(Action action) {
    Outcomes.done(
        fixture
            .loop
            .resolveAction()
            .resolve(
                fixture.caller,
                new ResolveAction.Request(
                    action.id(), true, null, "looked", fixture.connectors.ids.next())));
  }

  private static long days120After(@Nullable Instant end) {
    return Objects.requireNonNull(end).plus(Duration.ofDays(120)).getEpochSecond();
  }

  private static long age(Item item) {
    return item.whole(Retention.ARCHIVE_EXPIRES, 0);
  }

  private static Instant disposedAt(Action action) {
    return Objects.requireNonNull(action.disposal()).disposedAt();
  }

  private Map<String, Item> receipts() {
    Map<String, Item> all = new TreeMap<>();
    for (Item item : store.everything()) {
      if (item.key().table() == Table.RECEIPTS) {
        all.put(Json.read(item.text("doc")).path("outcome").textValue(), item);
      }
    }
    return all;
  }

  /** The kinds of rows of a table, as their keys say them, that have the attribute or have not. */
  private Set<String> kinds(Table table, String attribute, boolean has) {
    Set<String> kinds = new TreeSet<>();
    for (Item item : store.everything()) {
      if (item.key().table() == table && item.has(attribute) == has) {
        String[] parts = item.key().partition().split("#", -1);
        boolean ofTenant = parts[0].startsWith("t_");
        kinds.add(ofTenant ? parts[parts[1].equals("live") ? 2 : 1] : parts[0]);
      }
    }
    return kinds;
  }

  @Test
  void whatIsOpenStays() {
    Plan plan = held();
    assertThat(row(plan).has(Retention.ARCHIVE_EXPIRES)).isFalse();
    assertThat(row(action(plan)).has(Retention.ARCHIVE_EXPIRES)).isFalse();
  }

  @Test
  void whatHasEndedMayLeave120DaysLater() {
    Plan plan = applied();
    assertThat(plan.state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(age(row(plan))).isEqualTo(days120After(plan.disposedAt()));
    assertThat(age(row(action(plan)))).isEqualTo(days120After(disposedAt(action(plan))));
  }

  @Test
  void soMayWhatNeverRan() {
    Plan vetoed = held();
    Plan expired = held();
    Outcomes.done(fixture.loop.vetoPlan().veto(fixture.caller, vetoed.id(), "key", "No.", null));
    fixture.time.pass(Duration.between(fixture.time.instant(), expired.expiresAt()));
    fixture.loop.planExpiry().fired(expired.partition(), expired.id());
    for (Plan plan : List.of(fixture.again(vetoed), fixture.again(expired))) {
      assertThat(age(row(plan))).isEqualTo(days120After(plan.disposedAt()));
      Action.Closing closing = Objects.requireNonNull(action(plan).closing());
      assertThat(age(row(action(plan)))).isEqualTo(days120After(closing.receiptId().madeAt()));
    }
  }

  @Test
  void whatIsUnknownStaysUntilItIsResolvedAndItsFirstReceiptForGood() {
    Plan plan = unknown();
    assertThat(row(plan).has(Retention.ARCHIVE_EXPIRES)).isTrue();
    assertThat(row(action(plan)).has(Retention.ARCHIVE_EXPIRES)).isFalse();
    assertThat(receipts()).doesNotContainKey("applied");
    fixture.time.pass(Duration.ofDays(200));
    resolve(action(plan));
    assertThat(age(row(action(plan)))).isEqualTo(days120After(fixture.time.instant()));
    assertThat(receipts().get("unknown")).matches(row -> !row.has(Retention.ARCHIVE_EXPIRES));
    assertThat(receipts().get("applied")).matches(row -> row.has(Retention.ARCHIVE_EXPIRES));
  }

  @Test
  void whatIsBeingUndoneStaysUntilThatHasEnded() {
    Plan plan = applied();
    fixture.time.pass(Duration.ofDays(100));
    fixture.source =
        _ -> {
          assertThat(row(action(plan)).has(Retention.ARCHIVE_EXPIRES)).isFalse();
          return new CallResult.Unknown("Nobody answered.", true);
        };
    fixture.undo(action(plan));
    Action original = action(plan);
    ActionId undoing = Objects.requireNonNull(original.undo().inFlight());
    assertThat(row(original).has(Retention.ARCHIVE_EXPIRES)).isFalse();
    fixture.time.pass(HOUR);
    Action undo = fixture.loop.actions().find(plan.partition(), undoing).orElseThrow();
    assertThat(row(undo).has(Retention.ARCHIVE_EXPIRES)).isFalse();
    resolve(undo);
    assertThat(action(plan).undone()).isTrue();
    assertThat(age(row(action(plan)))).isEqualTo(days120After(fixture.time.instant()));
    assertThat(age(row(undo))).isEqualTo(days120After(fixture.time.instant()));
  }

  @Test
  void aReceiptMayLeave120DaysAfterItWasWritten() {
    applied();
    for (Receipt receipt : fixture.receipts()) {
      Key key = new Key(Table.RECEIPTS, receipt.partition().key("receipt#0"), receipt.id().value());
      assertThat(age(store.get(key).orElseThrow())).isEqualTo(days120After(receipt.id().madeAt()));
    }
    assertThat(kinds(Table.RECEIPTS, Retention.ARCHIVE_EXPIRES, true))
        .containsExactly("config-receipt", "receipt");
    assertThat(kinds(Table.RECEIPTS, Retention.ARCHIVE_EXPIRES, false)).isEmpty();
  }

  /** Has a model propose this by schedule. */
  private void scheduled(String run, ProposedAction action) {
    Operator operator =
        fixture.operator(
            run,
            ",'triggers':{'schedule':'rate(1 minute)'},"
                + "'model':{'provider':'bedrock','model_id':'m'}");
    ModelExchange exchange = new ModelExchange("bedrock", "m", Json.object(), Json.object());
    fixture.proposer =
        _ -> new Proposer.Answer(new Proposal.Proposed(null, List.of(action)), exchange);
    fixture
        .loop
        .proposeForEvent()
        .propose(operator.partition(), new ProposalRequest(run, null, operator.id(), null, null));
  }

  @Test
  void theMarkOfAScheduledRunGoesWithItsPlanOrItsRefusal() {
    scheduled("fit", fixture.refund("1", 500));
    scheduled("unfit", fixture.refund("1", -500));
    List<Item> marks =
        store.everything().stream()
            .filter(item -> item.key().partition().contains("#proposal#"))
            .toList();
    assertThat(marks)
        .hasSize(2)
        .anyMatch(mark -> mark.has("plan"))
        .anyMatch(mark -> mark.has("refused"))
        .allMatch(mark -> age(mark) == days120After(fixture.time.instant()));
  }

  /** A row of another kind than these has somebody decide whether an archive takes it. */
  @Test
  void itIsSaidOfEachKindOfRow() {
    applied();
    scheduled("daily", fixture.refund("1", 500));
    Plan vetoed = held();
    Outcomes.done(fixture.loop.vetoPlan().veto(fixture.caller, vetoed.id(), "key", "No.", null));
    Set<String> leave = kinds(Table.STATE, Retention.ARCHIVE_EXPIRES, true);
    assertThat(leave)
        .containsExactly("action", "approval", "plan", "plan-entity", "plan-exchange", "proposal");
    Set<String> stay = kinds(Table.STATE, Retention.ARCHIVE_EXPIRES, false);
    stay.removeAll(leave);
    assertThat(stay)
        .containsExactly(
            "connector",
            "connector-name",
            "connector_roster",
            "guardrails-version",
            "operator",
            "operator-home",
            "operator_name",
            "operator_roster",
            "quota",
            "veto");
    assertThat(kinds(Table.EFFECTS, Retention.ARCHIVE_EXPIRES, true)).isEmpty();
    // Time to live goes by this one, and there is no archive yet.
    assertThat(kinds(Table.STATE, Table.EXPIRES, true)).isEmpty();
    assertThat(kinds(Table.RECEIPTS, Table.EXPIRES, true)).isEmpty();
  }

  @Test
  void whatLivesForDaysIsDeletedWhicheverOfThemCounts() {
    String id = PlanId.next(fixture.connectors.ids).value();
    new ProposalRequests(store, fixture.time)
        .store(
            fixture.caller.partition(),
            new ProposalRequest(id, null, fixture.operator.id(), null, null));
    Item request =
        store.everything().stream()
            .filter(item -> "proposal_request".equals(item.textOrNull("kind")))
            .findFirst()
            .orElseThrow();
    long expires = fixture.time.instant().plus(Duration.ofDays(7)).getEpochSecond();
    assertThat(request.whole(Table.EXPIRES, 0)).isEqualTo(expires);
    assertThat(age(request)).isEqualTo(expires);
  }

  @Test
  void outsideOfStateThereIsOneAttribute() {
    Item item = Item.at(Key.single(Table.LIMITS, "x")).expires(Instant.ofEpochSecond(7)).build();
    assertThat(item.attributes().keySet()).containsExactly(Table.EXPIRES);
  }
}
