package io.actiongovernance.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.GovernedReads;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What people read of what has left its table: all that they read while it was there, and no more.
 */
final class ReadThroughTest {
  private final ArchiveFixture given = new ArchiveFixture();
  private final LocalDate first = given.today();
  private final List<Plan> plans = new ArrayList<>();
  private Instant middle = Instant.EPOCH;

  /** Half a year: plans of all ends, most of which have left their tables by its end. */
  private void halfAYear() {
    for (int week = 0; week < 26; week++) {
      if (week < 4 || week % 4 == 0) {
        plans.add(given.ran("a" + week % 3));
        plans.add(given.loop.propose(given.loop.refund("b", 5)));
        given.loop.deliver();
        Plan vetoed = given.held("c" + week);
        plans.add(vetoed);
        Outcomes.done(
            given.loop.loop.vetoPlan().veto(given.loop.caller, vetoed.id(), "key", "No.", null));
        Plan unknown = given.unknown("d" + week);
        plans.add(unknown);
        if (week % 2 == 0) {
          given.days(1);
          given.resolve(given.loop.action(unknown, 0));
        }
      }
      if (week == 2) {
        Outcomes.done(given.loop.undo(given.loop.action(plans.getFirst(), 0)));
        plans.add(given.held("lapses"));
      }
      if (week == 3) {
        given.loop.sweep();
        middle = given.loop.time.instant();
      }
      given.days(7);
    }
    given.loop.sweep();
    given.upToYesterday(first);
  }

  private List<ReceiptFilter> receiptFilters(List<Receipt> all) {
    Map<ReceiptFilter.Field, Set<String>> values = new TreeMap<>();
    for (Receipt receipt : all) {
      for (ReceiptFilter.Field field : ReceiptFilter.Field.values()) {
        String value = receipt.text(field.documentField());
        if (value != null) {
          values.computeIfAbsent(field, _ -> new TreeSet<>()).add(value);
        }
      }
    }
    List<ReceiptFilter> filters = new ArrayList<>();
    filters.add(new ReceiptFilter(Map.of(), null, null, Reach.WHOLE));
    filters.add(new ReceiptFilter(Map.of(), middle, null, Reach.WHOLE));
    filters.add(new ReceiptFilter(Map.of(), null, middle, Reach.WHOLE));
    values.forEach(
        (field, some) ->
            some.forEach(
                value -> {
                  filters.add(new ReceiptFilter(Map.of(field, value), null, null, Reach.WHOLE));
                  Map<ReceiptFilter.Field, String> applied = new TreeMap<>();
                  applied.put(ReceiptFilter.Field.OUTCOME, "applied");
                  applied.put(field, value);
                  filters.add(new ReceiptFilter(applied, null, middle, Reach.WHOLE));
                }));
    return filters;
  }

  private List<ListPlans.Filter> planFilters() {
    List<ListPlans.Filter> filters = new ArrayList<>();
    filters.add(plans(null, null, null, null, null));
    filters.add(plans(null, null, null, middle, null));
    filters.add(plans(null, null, null, null, middle));
    for (PlanStatus status : PlanStatus.values()) {
      filters.add(plans(status, null, null, null, null));
      filters.add(plans(status, given.loop.operator.id(), null, null, middle));
    }
    filters.add(plans(null, given.loop.operator.id(), null, null, null));
    for (String entity : List.of("order:a0", "order:b", "order:c1", "order:none")) {
      filters.add(plans(null, null, entity, null, null));
      filters.add(plans(PlanStatus.EXECUTED, null, entity, null, null));
    }
    return filters;
  }

  private static ListPlans.Filter plans(
      @Nullable PlanStatus status,
      @Nullable OperatorId operator,
      @Nullable String entity,
      @Nullable Instant since,
      @Nullable Instant until) {
    return new ListPlans.Filter(status, operator, entity, null, null, since, until, Reach.WHOLE);
  }

  private List<ListActions.Filter> actionFilters() {
    List<ListActions.Filter> filters = new ArrayList<>();
    filters.add(actions(null, null, null, null, null, null));
    filters.add(actions(null, null, null, null, middle, null));
    filters.add(actions(null, null, null, null, null, middle));
    for (Disposition disposition : Disposition.values()) {
      filters.add(actions(null, null, disposition, null, null, null));
      filters.add(actions(null, "order:b", disposition, null, null, null));
    }
    filters.add(actions(null, null, null, given.loop.operator.id(), null, null));
    filters.add(actions(null, "order:a0", null, null, null, null));
    plans.forEach(plan -> filters.add(actions(plan.id(), null, null, null, null, null)));
    return filters;
  }

  private static ListActions.Filter actions(
      @Nullable PlanId plan,
      @Nullable String entity,
      @Nullable Disposition disposition,
      @Nullable OperatorId operator,
      @Nullable Instant since,
      @Nullable Instant until) {
    return new ListActions.Filter(
        plan, entity, disposition, operator, since, until, Reach.WHOLE, false);
  }

  /**
   * All of a list, by pages of three, each of which is of one month of the archive.
   *
   * @param when what it is in the order of; null of a list of what belongs to one thing
   */
  private <T> List<T> all(
      Function<PageRequest, Page<T>> list, @Nullable Function<T, Instant> when) {
    List<T> all = new ArrayList<>();
    String after = null;
    Instant seam = given.loop.time.instant().minus(Duration.ofDays(120));
    do {
      Page<T> page = list.apply(new PageRequest(3, after));
      assertThat(page.next() == null || !page.next().equals(after)).isTrue();
      all.addAll(page.items());
      assertThat(
              page.items().stream()
                  .flatMap(one -> when == null ? Stream.empty() : Stream.of(when.apply(one)))
                  .filter(one -> one.isBefore(seam))
                  .map(one -> LocalDate.ofInstant(one, ZoneOffset.UTC).withDayOfMonth(1))
                  .distinct())
          .hasSizeLessThan(2);
      after = page.next();
    } while (after != null);
    return all;
  }

  private List<Receipt> receipts(GovernedReads reads, ReceiptFilter filter) {
    return all(
        page -> reads.listReceipts().list(given.partition, filter, page),
        filter.fields().containsKey(ReceiptFilter.Field.ACTION)
                || filter.fields().containsKey(ReceiptFilter.Field.PLAN)
            ? null
            : receipt -> receipt.id().madeAt());
  }

  private List<Plan> plans(GovernedReads reads, ListPlans.Filter filter) {
    return all(
        page -> reads.listPlans().list(given.partition, filter, page),
        plan -> plan.terms().proposedAt());
  }

  private List<Action> actions(GovernedReads reads, ListActions.Filter filter) {
    return all(
        page -> reads.listActions().list(given.partition, filter, page),
        filter.plan() == null ? action -> disposal(action).disposedAt() : null);
  }

  private static Action.Disposal disposal(Action action) {
    return Objects.requireNonNull(action.disposal());
  }

  private static List<Map<String, Object>> documents(List<Receipt> receipts) {
    return receipts.stream()
        .map(receipt -> Map.<String, Object>of(receipt.id().value(), receipt.document()))
        .toList();
  }

  /** A list of the tables while all was there, to be compared with one of what is left of them. */
  private void listsStayTheSame(Runnable leaves) {
    GovernedReads before = given.loop.readsOver(given.store);
    List<Receipt> all = pagedOnce(before, new ReceiptFilter(Map.of(), null, null, Reach.WHOLE));
    assertThat(all).hasSizeGreaterThan(30);
    List<ReceiptFilter> receiptFilters = receiptFilters(all);
    var ofReceipts =
        receiptFilters.stream().map(filter -> documents(pagedOnce(before, filter))).toList();
    var ofPlans = planFilters().stream().map(filter -> plansOnce(before, filter)).toList();
    var ofActions = actionFilters().stream().map(filter -> actionsOnce(before, filter)).toList();
    leaves.run();
    GovernedReads after = given.reads();
    for (int at = 0; at < receiptFilters.size(); at++) {
      assertThat(documents(receipts(after, receiptFilters.get(at))))
          .as(receiptFilters.get(at).toString())
          .isEqualTo(ofReceipts.get(at));
    }
    for (int at = 0; at < planFilters().size(); at++) {
      assertThat(plans(after, planFilters().get(at)))
          .as(planFilters().get(at).toString())
          .isEqualTo(ofPlans.get(at));
    }
    for (int at = 0; at < actionFilters().size(); at++) {
      assertThat(actions(after, actionFilters().get(at)))
          .as(actionFilters().get(at).toString())
          .isEqualTo(ofActions.get(at));
    }
  }

  private List<Receipt> pagedOnce(GovernedReads reads, ReceiptFilter filter) {
    return tables(page -> reads.listReceipts().list(given.partition, filter, page));
  }

  private List<Plan> plansOnce(GovernedReads reads, ListPlans.Filter filter) {
    return tables(page -> reads.listPlans().list(given.partition, filter, page));
  }

  private List<Action> actionsOnce(GovernedReads reads, ListActions.Filter filter) {
    return tables(page -> reads.listActions().list(given.partition, filter, page));
  }

  private static <T> List<T> tables(Function<PageRequest, Page<T>> list) {
    List<T> all = new ArrayList<>();
    String after = null;
    do {
      Page<T> page = list.apply(new PageRequest(100, after));
      all.addAll(page.items());
      after = page.next();
    } while (after != null);
    return all;
  }

  @Test
  void listsAreTheSameWhateverHasLeftTheTables() {
    halfAYear();
    listsStayTheSame(() -> assertThat(given.expire()).isGreaterThan(50));
  }

  @Test
  void whatIsInBothIsListedOnce() {
    halfAYear();
    listsStayTheSame(
        () -> {
          List<Item> rows = given.store.everything();
          given.expire();
          for (int at = 0; at < rows.size(); at += 2) {
            given.store.write(Write.put(rows.get(at), Condition.always()));
          }
        });
  }

  /** A plan that ran weeks before its row left, undone so late that that is in another object. */
  private Plan undoneLate() {
    Plan plan = given.ran("1");
    given.days(20);
    given.upToYesterday(first);
    Outcomes.done(given.loop.undo(given.loop.action(plan, 0)));
    given.days(1);
    given.upToYesterday(first);
    return plan;
  }

  private static <T> T done(Outcome<T> outcome) {
    return Outcomes.done(outcome);
  }

  @Test
  void whatIsReadByItsIdentifierIsTheSameOnceItHasLeft() {
    Plan plan = undoneLate();
    Action action = given.loop.action(plan, 0);
    GovernedReads tables = given.loop.readsOver(given.store);
    var planBefore =
        done(tables.retrieveOnceDisposed().plan(given.loop.caller, plan.id(), Duration.ZERO));
    var proposal = done(tables.retrieveProposal().retrieve(given.loop.caller, plan.id()));
    var standing = done(tables.approval(given.loop.caller, plan.id()));
    var approval =
        done(
            tables
                .retrieveApproval()
                .retrieve(
                    given.loop.caller, Objects.requireNonNull(planBefore.plan().approval()).id()));
    given.days(150);
    assertThat(given.expire()).isGreaterThan(5);
    assertThat(
            given.store.get(
                given
                    .archived
                    .of(given.partition, RowKind.ACTION, List.of(action.id().value()))
                    .keySet()
                    .iterator()
                    .next()))
        .isEmpty();
    GovernedReads reads = given.reads();
    assertThat(done(reads.retrieveOnceDisposed().plan(given.loop.caller, plan.id(), Duration.ZERO)))
        .isEqualTo(planBefore);
    assertThat(
            done(reads.retrieveOnceDisposed().action(given.loop.caller, action.id(), Duration.ZERO))
                .action())
        .isEqualTo(action)
        .satisfies(one -> assertThat(one.undo().undoneBy()).isNotNull());
    assertThat(done(reads.retrieveProposal().retrieve(given.loop.caller, plan.id())))
        .isEqualTo(proposal);
    assertThat(done(reads.approval(given.loop.caller, plan.id()))).isEqualTo(standing);
    assertThat(done(reads.retrieveApproval().retrieve(given.loop.caller, approval.id())))
        .isEqualTo(approval);
    ReceiptId receipt = disposal(action).receiptId();
    assertThat(reads.ledger().find(given.partition, receipt)).isPresent();
    assertThat(reads.ledger().find(new Partition(given.partition.tenant(), Mode.TEST), receipt))
        .isEmpty();
    assertThat(
            reads
                .ledger()
                .find(new Partition(TenantId.next(given.loop.connectors.ids), Mode.LIVE), receipt))
        .isEmpty();
    assertThat(given.loop.loop.plans().find(given.partition, plan.id())).isEmpty();
  }

  @Test
  void nobodyAsksTheArchiveForWhatIsYoungOrOfNoDayOfTheTenant() {
    given.ran("1");
    given.days(121);
    given.upToYesterday(first);
    Plan young = given.ran("2");
    GovernedReads reads = given.reads();
    given.objects.read();
    Ids ids = given.loop.connectors.ids;
    assertThat(reads.ledger().find(given.partition, ReceiptId.next(ids))).isEmpty();
    assertThat(
            reads
                .ledger()
                .find(given.partition, new ReceiptId("rc_0000000000" + ids.next().substring(10))))
        .isEmpty();
    assertThat(reads.ledger().find(given.partition, new ReceiptId("rc_of-somebody-else")))
        .isEmpty();
    done(reads.retrieveOnceDisposed().plan(given.loop.caller, young.id(), Duration.ZERO));
    reads.retrieveOnceDisposed().action(given.loop.caller, ActionId.next(ids), Duration.ZERO);
    reads
        .listReceipts()
        .list(
            given.partition,
            new ReceiptFilter(
                Map.of(), given.loop.time.instant().minus(Duration.ofDays(119)), null, Reach.WHOLE),
            new PageRequest(100, null));
    reads
        .listPlans()
        .list(given.partition, plans(null, null, null, null, null), new PageRequest(1, null));
    assertThat(given.objects.read()).isEmpty();
  }

  @Test
  void aDayIsReadOnceHoweverOftenItIsAskedFor() {
    halfAYear();
    given.expire();
    GovernedReads reads = given.reads();
    given.objects.read();
    ListPlans.Filter filter = plans(null, null, "order:b", null, middle);
    plans(reads, filter);
    plans(reads, filter);
    assertThat(given.objects.read()).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void anObjectWithoutWhatIsSoughtIsNotRead() {
    halfAYear();
    given.expire();
    given.objects.read();
    assertThat(plans(given.reads(), plans(null, null, "order:none", null, null))).isEmpty();
    assertThat(given.objects.read()).isNotEmpty().noneMatch(name -> name.endsWith(".zst"));
  }

  @Test
  void whatIsDamagedOrGoneIsUnavailableAndNeverLeftOut() {
    Plan plan = undoneLate();
    given.days(1);
    given.upToYesterday(first);
    given.days(150);
    given.expire();
    Manifest manifest = given.archived.manifest(given.partition, first).orElseThrow();
    Logger log = (Logger) LoggerFactory.getLogger(ArchivedRows.class);
    log.setLevel(Level.OFF); // what goes wrong here is meant to
    try {
      List<String> names =
          new ArrayList<>(manifest.parts().stream().map(Manifest.Part::name).toList());
      names.add(Objects.requireNonNull(manifest.index()));
      names.add(ArchiveNames.manifest(given.partition, first));
      // Of the day that wrote anew what was undone.
      names.add(ArchiveNames.manifest(given.partition, first.plusDays(20)));
      for (String name : names) {
        byte[] there = Objects.requireNonNull(given.objects.all().remove(name));
        unavailable(name, plan);
        byte[] other =
            name.endsWith(".json")
                ? Arrays.copyOf(there, there.length / 2)
                : Zstd.compressed(new byte[] {'\n'});
        given.objects.all().put(name, other);
        unavailable(name, plan);
        given.objects.all().put(name, there);
      }
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void whatIsHiddenIsReadAsIfItWereNot() {
    Plan plan = undoneLate();
    given.days(1);
    given.upToYesterday(first);
    given.days(150);
    given.expire();
    List<Object> before = known(plan);
    given.objects.all().keySet().forEach(given.objects::hide);
    assertThat(known(plan)).isEqualTo(before);
    assertThat(before.getLast())
        .isInstanceOfSatisfying(
            Action.class, action -> assertThat(action.undo().undoneBy()).isNotNull());
  }

  /** What people read, the action of the plan last. */
  private List<Object> known(Plan plan) {
    GovernedReads reads = given.reads();
    List<Object> known = new ArrayList<>();
    known.addAll(receipts(reads, new ReceiptFilter(Map.of(), null, null, Reach.WHOLE)));
    known.addAll(plans(reads, plans(null, null, null, null, null)));
    known.addAll(actions(reads, actions(null, null, Disposition.ALLOW, null, null, null)));
    known.addAll(actions(reads, actions(null, null, Disposition.ALERT, null, null, null)));
    for (ActionId id : plan.terms().actionIds()) {
      known.add(
          Objects.requireNonNull(
              done(reads.retrieveOnceDisposed().action(given.loop.caller, id, Duration.ZERO))
                  .action()));
    }
    return known;
  }

  /** A lock that has ended keeps nothing, but the marker that hid it says that there was one. */
  @Test
  void whatALaterDayWroteIsMissedOnceNothingIsBeneathWhatHidIt() {
    Plan plan = undoneLate();
    given.days(1);
    given.upToYesterday(first);
    given.days(150);
    given.expire();
    LocalDate later = first.plusDays(20);
    List<String> names = new ArrayList<>(List.of(ArchiveNames.manifest(given.partition, later)));
    given.archived.manifest(given.partition, later).orElseThrow().parts().stream()
        .filter(part -> part.day().equals(first.toString()))
        .map(Manifest.Part::name)
        .forEach(names::add);
    assertThat(names).hasSizeGreaterThan(1);
    Logger log = (Logger) LoggerFactory.getLogger(ArchivedRows.class);
    log.setLevel(Level.OFF); // what goes wrong here is meant to
    try {
      for (String name : names) {
        byte[] there = Objects.requireNonNull(given.objects.all().remove(name));
        given.objects.hide(name);
        unavailable(name, plan);
        given.objects.all().put(name, there);
        given.objects.show(name);
      }
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void whoDeletesWhatNeverWasHidesNothing() {
    Plan plan = undoneLate();
    given.days(150);
    given.expire();
    List<Object> before = known(plan);
    String folder = ArchiveNames.rows(given.partition, RowKind.ACTION, first);
    given.objects.hide(folder);
    given.objects.hide(folder + "typo");
    given.objects.hide(ArchiveNames.manifest(given.partition, first.plusDays(1_000)));
    given.objects.hide(ArchiveNames.manifests(given.partition) + "typo.json");
    assertThat(known(plan)).isEqualTo(before);
  }

  /** By its identifier or in a list: who asks for what is in it is told to come again. */
  private void unavailable(String name, Plan plan) {
    GovernedReads reads = given.reads();
    assertThatExceptionOfType(StoreUnavailable.class)
        .as(name)
        .isThrownBy(
            () -> {
              receipts(
                  reads,
                  new ReceiptFilter(
                      Map.of(ReceiptFilter.Field.ENTITY, "order:1"), null, null, Reach.WHOLE));
              plans(reads, plans(PlanStatus.EXECUTED, null, null, null, null));
              actions(reads, actions(null, null, Disposition.ALLOW, null, null, null));
              actions(reads, actions(null, null, Disposition.ALERT, null, null, null));
              receipts(
                  reads,
                  new ReceiptFilter(
                      Map.of(ReceiptFilter.Field.KIND, "config"), null, null, Reach.WHOLE));
              done(reads.approval(given.loop.caller, plan.id()));
              done(
                  reads
                      .retrieveApproval()
                      .retrieve(
                          given.loop.caller,
                          Objects.requireNonNull(
                                  done(reads
                                          .retrieveOnceDisposed()
                                          .plan(given.loop.caller, plan.id(), Duration.ZERO))
                                      .plan()
                                      .approval())
                              .id()));
            });
  }
}
