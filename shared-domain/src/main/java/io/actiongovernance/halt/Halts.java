package io.actiongovernance.halt;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The kill switch: halting, lifting, and the list of halts (contract, section 4). A halt, its entry
 * in the register that the kernel reads, and its receipt are one transaction. A target has one
 * halt, so that no number of halts stands in the way of the next. Thread-safe.
 *
 * <p>A request to halt is answered only when its halt has begun, {@link HaltRegister#SETTLES} after
 * it was written: whoever read the register before that has made its call by then, so nothing in
 * scope starts after the answer. Frozen time counts from the same instant; so no plan that any
 * reader has seen expire comes back.
 */
public final class Halts {
  private static final Refusal BEYOND_KEY =
      new Refusal.BeyondKey(
          "A key pinned to a workspace or bound to operators cannot halt the whole tenant, nor lift"
              + " a halt.");

  /** How often a halt is tried for a target whose other halts are being lifted meanwhile. */
  private static final int ATTEMPTS = 5;

  private final Store store;
  private final HaltRegister register;
  private final Transactions transactions;
  private final ReceiptLedger ledger;
  private final Operators operators;
  private final Connectors connectors;
  private final Consumer<Partition> goOn;
  private final Ids ids;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /**
   * @param goOn sets going what waits in a partition for execution
   */
  public Halts(
      Store store,
      HaltRegister register,
      Transactions transactions,
      ReceiptLedger ledger,
      Operators operators,
      Connectors connectors,
      Consumer<Partition> goOn,
      Ids ids,
      InstantSource clock,
      Sleeper sleeper) {
    this.store = store;
    this.register = register;
    this.transactions = transactions;
    this.ledger = ledger;
    this.operators = operators;
    this.connectors = connectors;
    this.goOn = goOn;
    this.ids = ids;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /**
   * Halts, and returns once the halt has begun; what is halted already, once that halt has, which
   * is then the one answered with.
   *
   * @param id the same for the same request sent again, which then finds its own halt
   */
  public Outcome<Halt> halt(Caller caller, HaltId id, Target target, String reason) {
    if (target.scope() == HaltScope.TENANT && !reachesAll(caller)) {
      return Outcome.refused(BEYOND_KEY);
    }
    if (!exists(caller, target)) {
      return Outcome.refused(new Refusal.NotFound("resource"));
    }
    Outcome<Halt> outcome = begin(caller, id, target, reason);
    if (outcome instanceof Done(Halt halt)) {
      awaitBeginning(halt);
    }
    return outcome;
  }

  private Outcome<Halt> begin(Caller caller, HaltId id, Target target, String reason) {
    Partition partition = caller.partition();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<Halt> made = find(partition, id);
      if (made.isPresent()) {
        return Outcome.done(made.get());
      }
      HaltRegister.State state = register.read(partition);
      Optional<Halt> before = state.of(target).flatMap(halt -> find(partition, halt.id()));
      if (before.isPresent()) {
        return Outcome.done(before.get());
      }
      if (target.scope() != HaltScope.TENANT && state.full()) {
        return Outcome.refused(
            new Refusal.QuotaExceeded(
                HaltRegister.MOST_IN_FORCE + " operators and connectors are halted already."));
      }
      Instant now = clock.instant();
      Halt halt =
          new Halt(
              id,
              partition,
              target,
              caller.workspaceId(),
              reason,
              caller.keyName(),
              caller.principal(),
              now.plus(HaltRegister.SETTLES).truncatedTo(ChronoUnit.MILLIS),
              null);
      // Refused means that a request sent at once was first: this one, or another for the target.
      transactions.run(
          List.of(
              HaltItems.insert(halt),
              HaltRegister.enter(halt),
              ledger.append(receipt(caller, halt, ReceiptOutcome.HALTED, reason, now))));
    }
    return find(partition, id)
        .map(Outcome::done)
        .orElseThrow(() -> new IllegalStateException("Halts of the target come and go."));
  }

  private void awaitBeginning(Halt halt) {
    Duration left = Duration.between(clock.instant(), halt.haltedAt());
    if (left.isPositive()) {
      sleeper.sleep(left);
    }
  }

  /** Whether the caller may stop everything, and let anything go on. */
  private static boolean reachesAll(Caller caller) {
    return caller.workspaceId() == null && caller.operatorIds().isEmpty();
  }

  /**
   * Lifts a halt, and sets going what waited for that.
   *
   * @param key the same for the same request sent again, which then finds its own lift
   */
  public Outcome<Halt> lift(Caller caller, HaltId id, String key, String reason) {
    if (!reachesAll(caller)) {
      return Outcome.refused(BEYOND_KEY);
    }
    Optional<Halt> found = find(caller.partition(), id);
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("resource"));
    }
    Halt halt = found.get();
    if (halt.lift() == null) {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      Instant liftedAt = now.isBefore(halt.haltedAt()) ? halt.haltedAt() : now;
      // Refused means that another request was first; what is stored now tells.
      transactions.run(
          List.of(
              HaltItems.lift(
                  halt, new Halt.Lift(key, caller.keyName(), caller.principal(), liftedAt)),
              HaltRegister.leave(halt, liftedAt),
              HaltRegister.keep(halt, liftedAt),
              ledger.append(receipt(caller, halt, ReceiptOutcome.LIFTED, reason, now))));
      halt = find(caller.partition(), id).orElseThrow();
    }
    if (!Objects.requireNonNull(halt.lift()).key().equals(key)) {
      return Outcome.refused(new Refusal.Conflict("The halt is already lifted."));
    }
    goOn.accept(halt.partition());
    return Outcome.done(halt);
  }

  /** A halt, whoever may see it. */
  public Optional<Halt> find(Partition partition, HaltId id) {
    return store.get(HaltItems.key(partition, id)).map(HaltItems::read);
  }

  /**
   * The halts the caller may see, newest first.
   *
   * @param active only those in force, or only those lifted; null for both
   */
  public Page<Halt> list(Caller caller, @Nullable Boolean active, PageRequest page) {
    if (Boolean.TRUE.equals(active)) {
      return inForce(caller, page);
    }
    return Listing.page(
        store,
        Query.of(Table.STATE, HaltItems.list(caller.partition())),
        page,
        item -> item.key().range(),
        item ->
            Optional.of(HaltItems.read(item))
                .filter(halt -> mayRead(caller, halt))
                .filter(halt -> active == null || halt.lift() != null));
  }

  /** From the register, however many were lifted since. */
  private Page<Halt> inForce(Caller caller, PageRequest page) {
    String after = page.after();
    List<Key> keys =
        register.read(caller.partition()).inForce().stream()
            .map(HaltRegister.InForce::id)
            .filter(id -> after == null || id.value().compareTo(after) < 0)
            .sorted(Comparator.comparing(HaltId::value).reversed())
            .map(id -> HaltItems.key(caller.partition(), id))
            .toList();
    List<Halt> halts =
        store.getAll(keys).stream()
            .map((Item item) -> HaltItems.read(item))
            .filter(halt -> mayRead(caller, halt))
            .toList();
    boolean more = halts.size() > page.limit();
    List<Halt> shown = more ? halts.subList(0, page.limit()) : halts;
    return new Page<>(shown, more ? shown.getLast().id().value() : null);
  }

  private static boolean mayRead(Caller caller, Halt halt) {
    return caller.sees(halt.workspaceId()) && reaches(caller, halt.target());
  }

  /** A key bound to operators reaches halts of these alone. */
  private static boolean reaches(Caller caller, Target target) {
    String id = target.id();
    return caller.operatorIds().isEmpty()
        || (id != null
            && target.scope() == HaltScope.OPERATOR
            && caller.reaches(new OperatorId(id)));
  }

  private boolean exists(Caller caller, Target target) {
    String id = target.id();
    if (!reaches(caller, target)) {
      return false;
    }
    return switch (target.scope()) {
      case TENANT -> true;
      case OPERATOR -> operators.find(caller, new OperatorId(String.valueOf(id))).isPresent();
      case CONNECTOR -> connectors.find(caller, new ConnectorId(String.valueOf(id))).isPresent();
    };
  }

  private Receipt receipt(
      Caller caller, Halt halt, ReceiptOutcome outcome, String reason, Instant decidedAt) {
    Target target = halt.target();
    return new ReceiptDraft(halt.partition(), Receipt.Kind.HALT, outcome)
        .with("operator_id", target.scope() == HaltScope.OPERATOR ? target.id() : null)
        .with("connector", target.scope() == HaltScope.CONNECTOR ? target.id() : null)
        .with("workspace_id", halt.workspaceId())
        .request(caller.requestId())
        .with("approver", caller.keyName())
        .decidedBy(List.of(Decider.byKey(caller.principal(), null, decidedAt)))
        .with("note", halt.id())
        .with("reason", reason)
        .ok(true)
        .seal(ReceiptId.next(ids));
  }
}
