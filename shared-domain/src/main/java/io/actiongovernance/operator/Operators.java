package io.actiongovernance.operator;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a tenant: finds, creates and changes them, along draft → active ⇄ paused →
 * archived (contract, section 4). No update is lost: each is conditional on the row it was computed
 * from, and is computed again if that row has changed. A request that fails half-way and is sent
 * again with the same request name takes effect once. Each change leaves a receipt, and each change
 * of guardrails a version; a request that changes nothing writes nothing.
 *
 * <p>Thread-safe. Throws {@link StoreUnavailable} if the store does not answer.
 */
public final class Operators {
  /** Active operators a tenant may have, both modes together. */
  public static final int ACTIVE_QUOTA = 25;

  private static final int MAX_TRIES = 100;

  private final Store store;
  private final Transactions transactions;
  private final InstantSource clock;
  private final OperatorRules rules;
  private final OperatorForms forms;
  private final OperatorItems items = new OperatorItems();

  public Operators(
      Store store,
      Transactions transactions,
      InstantSource clock,
      OperatorRules rules,
      OperatorForms forms) {
    this.store = store;
    this.transactions = transactions;
    this.clock = clock;
    this.rules = rules;
    this.forms = forms;
  }

  @FunctionalInterface
  public interface UsableConnectors {
    /** Returns the connectors that operators of the workspace may use; null is tenant-wide. */
    List<Connector> usable(Partition partition, @Nullable String workspaceId);
  }

  /** Returns the operator, whatever its status, read consistently. */
  public Optional<Operator> find(Partition partition, OperatorId id) {
    return store.get(OperatorItems.key(partition, id)).map(this::operator);
  }

  /** Returns the key of an operator's row, for callers that read it along with other items. */
  public static Key key(Partition partition, OperatorId id) {
    return OperatorItems.key(partition, id);
  }

  /**
   * Returns the write that refuses a transaction unless an operator is as it was read, or still
   * absent. Its next scheduled run does not count.
   */
  public static Write unchanged(Key key, Optional<Item> row) {
    return Write.check(
        key,
        row.map(item -> Condition.equal(OperatorItems.CONTENT, content(item)))
            .orElseGet(Condition::absent));
  }

  /** Returns the partition of an operator that is known only by its identifier. */
  public Optional<Partition> home(OperatorId id) {
    return store.get(OperatorItems.homeKey(id)).map(OperatorItems::home);
  }

  public boolean exists(Partition partition, OperatorId id) {
    return store.get(OperatorItems.key(partition, id)).isPresent();
  }

  /** Reads an operator from an item under its {@link #key}. */
  public Operator read(Item item) {
    return operator(item);
  }

  public Optional<Operator> find(Caller caller, OperatorId id) {
    return find(caller.partition(), id).filter(found -> caller.sees(found.workspaceId(), id));
  }

  /** Returns the operator, or a refusal if the caller may see none. */
  public Outcome<Operator> retrieve(Caller caller, OperatorId id) {
    return find(caller, id).map(Outcome::done).orElseGet(Operators::notFound);
  }

  /** Returns the active operators of the partition, oldest first, read consistently. */
  public List<Operator> active(Partition partition) {
    List<Key> keys =
        OperatorRoster.read(store.get(rosterKey(partition))).entries().stream()
            .map(entry -> OperatorItems.key(partition, entry.id()))
            .toList();
    return operators(store.getAll(keys)).stream()
        .filter(operator -> operator.status() == OperatorStatus.ACTIVE)
        .toList();
  }

  /** Returns the key of the roster, for callers that read it along with other items. */
  public static Key rosterKey(Partition partition) {
    return OperatorItems.rosterKey(partition);
  }

  /** Returns the content number of the operator in an item, as its roster states it. */
  public static long content(Item row) {
    return row.whole(OperatorItems.CONTENT, 0);
  }

  /** Reads operators from items under their {@link #key}s. */
  public List<Operator> read(List<Item> rows) {
    return operators(rows);
  }

  /** Returns whether an active operator of the partition names the capability. */
  public boolean neededByActiveOperator(Partition partition, String capability) {
    return active(partition).stream().anyMatch(one -> one.capabilities().contains(capability));
  }

  /** Returns one page of the operators that the caller may see, newest first. */
  public Page<Operator> list(Caller caller, OperatorFilter filter, PageRequest page) {
    return new OperatorList(store).page(caller, filter, page, this::operators);
  }

  /**
   * Creates an operator.
   *
   * @param id minted for the request: a request that was already carried out returns what it
   *     created
   * @param status draft or active
   */
  public Outcome<Operator> create(
      Caller caller, OperatorId id, OperatorBody body, OperatorStatus status) {
    Optional<Operator> made = find(caller.partition(), id);
    if (made.isPresent()) {
      return Outcome.done(made.get());
    }
    Operator operator = body.create(id, caller, status, clock.instant());
    Optional<Refusal> refusal =
        body.beyondKey(caller)
            .or(() -> rules.url(body))
            .or(() -> OperatorRules.schedule(operator, operator.createdAt()))
            .or(() -> rules.lender(operator))
            .or(() -> status == OperatorStatus.DRAFT ? Optional.empty() : rules.unbound(operator));
    if (refusal.isPresent()) {
      return Outcome.refused(refusal.get());
    }
    // Refused if the partition had an operator before: its events are then handled already.
    store.write(HandedOn.begin(caller.partition(), operator.createdAt()));
    String request = id.value().substring(OperatorId.PREFIX.length());
    Write receipt =
        receipt(ConfigChange.Target.OPERATOR, caller, request, null, operator).orElseThrow();
    return OperatorWrites.create(
            operator, new OperatorWrites.By(caller.principal(), request, null), receipt)
        .run(transactions)
        .orElseGet(() -> Outcome.done(find(caller.partition(), id).orElseThrow()));
  }

  public Outcome<Operator> update(Caller caller, OperatorId id, OperatorBody body, String request) {
    Optional<Refusal> refusal = body.beyondKey(caller).or(() -> rules.url(body));
    return refusal.isPresent()
        ? Outcome.refused(refusal.get())
        : change(caller, id, request, found -> updated(found, body));
  }

  private Outcome<Operator> updated(Operator found, OperatorBody body) {
    if (found.status() == OperatorStatus.ARCHIVED) {
      return wrongState(found);
    }
    Operator changed = body.change(found, clock.instant());
    boolean look = body.saysReach() && found.status() != OperatorStatus.DRAFT;
    Optional<Refusal> lender = body.saysModel() ? rules.lender(changed) : Optional.empty();
    boolean sameSchedule =
        Objects.equals(changed.triggers().schedule(), found.triggers().schedule());
    return lender
        .or(
            () ->
                sameSchedule
                    ? Optional.empty()
                    : OperatorRules.schedule(changed, changed.updatedAt()))
        .or(() -> look ? rules.unbound(changed) : Optional.empty())
        .<Outcome<Operator>>map(Outcome::refused)
        .orElse(Outcome.done(changed));
  }

  public Outcome<Operator> publish(Caller caller, OperatorId id, String request) {
    return activate(caller, id, OperatorStatus.DRAFT, request);
  }

  public Outcome<Operator> pause(Caller caller, OperatorId id, String request) {
    return move(caller, id, EnumSet.of(OperatorStatus.ACTIVE), OperatorStatus.PAUSED, request);
  }

  public Outcome<Operator> resume(Caller caller, OperatorId id, String request) {
    return activate(caller, id, OperatorStatus.PAUSED, request);
  }

  /** Draft, active or paused → archived, permanently; its name becomes available again. */
  public Outcome<Operator> archive(Caller caller, OperatorId id, String request) {
    Set<OperatorStatus> from = EnumSet.complementOf(EnumSet.of(OperatorStatus.ARCHIVED));
    return move(caller, id, from, OperatorStatus.ARCHIVED, request);
  }

  /**
   * Replaces the guardrails by the next version.
   *
   * @param expected the version they must still have
   * @param note kept with the version, or null
   */
  public Outcome<Operator> putGuardrails(
      Caller caller,
      OperatorId id,
      Guardrails guardrails,
      long expected,
      @Nullable String note,
      String request) {
    return change(
        ConfigChange.Target.GUARDRAILS,
        caller,
        id,
        request,
        note,
        found -> {
          if (found.status() == OperatorStatus.ARCHIVED) {
            return wrongState(found);
          }
          return found.guardrailsVersion() == expected
              ? Outcome.done(found.withGuardrails(guardrails, clock.instant()))
              : Outcome.refused(
                  new Refusal.Conflict(
                      "The guardrails are at version "
                          + found.guardrailsVersion()
                          + ", not at expected_version. Read them again."));
        });
  }

  private Outcome<Operator> activate(
      Caller caller, OperatorId id, OperatorStatus from, String request) {
    return change(
        caller,
        id,
        request,
        found -> {
          if (found.status() != from) {
            return wrongState(found);
          }
          Operator active = found.withStatus(OperatorStatus.ACTIVE, clock.instant());
          return rules
              .unbound(active)
              .<Outcome<Operator>>map(Outcome::refused)
              .orElse(Outcome.done(active));
        });
  }

  private Outcome<Operator> move(
      Caller caller, OperatorId id, Set<OperatorStatus> from, OperatorStatus to, String request) {
    return change(
        caller,
        id,
        request,
        found ->
            from.contains(found.status())
                ? Outcome.done(found.withStatus(to, clock.instant()))
                : wrongState(found));
  }

  private Outcome<Operator> change(
      Caller caller, OperatorId id, String request, Function<Operator, Outcome<Operator>> rule) {
    return change(ConfigChange.Target.OPERATOR, caller, id, request, null, rule);
  }

  /** Reads, computes and writes if what was read is unchanged; else starts again. */
  private Outcome<Operator> change(
      ConfigChange.Target target,
      Caller caller,
      OperatorId id,
      String request,
      @Nullable String note,
      Function<Operator, Outcome<Operator>> rule) {
    OperatorWrites.By by = new OperatorWrites.By(caller.principal(), request, note);
    for (int attempt = 0; attempt < MAX_TRIES; attempt++) {
      Item row = store.get(OperatorItems.key(caller.partition(), id)).orElse(null);
      if (row == null || !caller.sees(row.textOrNull("workspace_id"), id)) {
        return notFound();
      }
      Operator found = operator(row);
      if (OperatorItems.request(row).equals(request)) {
        return Outcome.done(found);
      }
      Outcome<Operator> wanted = rule.apply(found);
      if (!(wanted instanceof Done<Operator>(Operator next))) {
        return wanted;
      }
      Optional<Write> receipt = receipt(target, caller, request, found, next);
      if (receipt.isEmpty()) {
        return Outcome.done(found);
      }
      Optional<Outcome<Operator>> written =
          OperatorWrites.replace(row, found, next, by, receipt.get()).run(transactions);
      if (written.isPresent()) {
        return written.get();
      }
    }
    throw new StoreUnavailable(
        "The operator " + id + " changed " + MAX_TRIES + " times meanwhile.", null);
  }

  /** Returns the receipt of a change; empty if the change is not visible in the published form. */
  private Optional<Write> receipt(
      ConfigChange.Target target,
      Caller caller,
      String request,
      @Nullable Operator before,
      Operator after) {
    PublicForm<Operator> form =
        target == ConfigChange.Target.GUARDRAILS ? forms.guardrails() : forms.operator();
    return new ConfigChange(
            target,
            after.id().value(),
            after.partition(),
            after.workspaceId(),
            before == null ? null : form.of(before),
            form.of(after),
            Set.of())
        .receipt(caller, request, clock.instant());
  }

  private static Outcome<Operator> notFound() {
    return Outcome.refused(new Refusal.NotFound("operator"));
  }

  private static Outcome<Operator> wrongState(Operator operator) {
    return Outcome.refused(
        new Refusal.Conflict("The operator is " + operator.status().wire() + "."));
  }

  private Operator operator(Item row) {
    return items.operator(
        row,
        OperatorItems.hasGuardrails(row)
            ? Optional.of(row)
            : store.get(OperatorItems.guardrailsKey(row)));
  }

  private List<Operator> operators(List<Item> rows) {
    List<Key> elsewhere =
        rows.stream()
            .filter(row -> !OperatorItems.hasGuardrails(row))
            .map(OperatorItems::guardrailsKey)
            .toList();
    Map<Key, Item> guardrails = elsewhere.isEmpty() ? Map.of() : store.getByKey(elsewhere);
    return rows.stream()
        .map(
            row ->
                items.operator(
                    row,
                    OperatorItems.hasGuardrails(row)
                        ? Optional.of(row)
                        : Optional.ofNullable(guardrails.get(OperatorItems.guardrailsKey(row)))))
        .toList();
  }
}
