package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.aws.IdempotencyRecords;
import io.actiongovernance.functions.aws.IdempotencyRecords.Entry;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.Encoder.Encoded;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of Idempotency-Key (contract, section 1). The first request under a key takes a lease
 * on it, with a minted identifier in it for the resource it may create; others wait for its answer.
 * Answers 2xx and {@code policy_blocked} are kept for 24 hours and replayed; every other answer
 * releases the key.
 *
 * <p>A request that ended without an answer of its own, by a fault or because its work goes on,
 * keeps the key and the minted identifier but gives up its lease, so the same request carries on at
 * once where it stood. One that died keeps its lease until it runs out. Thread-safe.
 */
public final class Idempotency {
  /** How long a request may hold a key without answering; longer than any function runs. */
  static final Duration LEASE = Duration.ofSeconds(40);

  /** How long a request waits for the answer of the first under its key. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final int LONGEST_KEY = 255;

  private final IdempotencyRecords records;
  private final Sealer sealer;
  private final Ids ids;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /** The one of this service. */
  static Idempotency of(Wiring wiring) {
    return new Idempotency(
        new IdempotencyRecords(wiring.clients().dynamo(), wiring.settings().tables()),
        wiring.sealer(),
        wiring.ids(),
        wiring.clock(),
        wiring.sleeper());
  }

  public Idempotency(
      IdempotencyRecords records, Sealer sealer, Ids ids, InstantSource clock, Sleeper sleeper) {
    this.records = records;
    this.sealer = sealer;
    this.ids = ids;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** What running a request gave: the reply, and what was written of it. */
  record Ran(Reply reply, Encoded encoded) {}

  /** The key in a header, without surrounding quotes; empty without a header. */
  static Optional<String> key(@Nullable String header) {
    if (header == null) {
      return Optional.empty();
    }
    boolean quoted = header.length() >= 2 && header.startsWith("\"") && header.endsWith("\"");
    String key = quoted ? header.substring(1, header.length() - 1) : header;
    boolean valid =
        !key.isEmpty()
            && key.length() <= LONGEST_KEY
            && key.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    if (!valid) {
      throw Problem.invalid(
          "Idempotency-Key", "Idempotency-Key must be 1 to 255 printable ASCII characters.");
    }
    return Optional.of(key);
  }

  /**
   * Where a key counts: in one mode of a tenant, for one method and one concrete path, and among
   * callers of one reach. What a caller is told who is pinned to a workspace, or bound to
   * operators, is told to nobody who reaches another part of the tenant, and the other way round:
   * an answer may hold what the other may not see.
   */
  static String scope(Caller caller, Route.Keyed keyed, String method, String path, String key) {
    ArrayNode scope = Json.object().putArray("scope");
    scope.add(caller.partition().key()).add(method).add(path).add(key).add(caller.workspaceId());
    ArrayNode operators = scope.addArray();
    caller.operatorIds().stream().map(OperatorId::value).sorted().forEach(operators::add);
    // What a person or an agent is told is told to them alone; the scopes of keys stay as they
    // were. Where the fingerprint names the asker, others are to meet it, and are refused.
    if (keyed != Route.Keyed.TO_ASKER) {
      caller.person().ifPresent(person -> scope.add(person.value()));
      caller.agent().ifPresent(agent -> scope.add(agent.id()));
    }
    return CanonicalJson.sha256(scope);
  }

  /** What makes a request the same one: its body, and who asks if the answer is for them alone. */
  static String fingerprint(Caller caller, Route.Keyed keyed, ObjectNode body) {
    String hash = CanonicalJson.sha256(body);
    if (keyed != Route.Keyed.TO_ASKER) {
      return hash;
    }
    ObjectNode asked = Json.object().put("body", hash);
    asked.set(
        "asker",
        Json.object()
            .put("type", caller.principal().type().wire())
            .put("id", caller.principal().id()));
    return CanonicalJson.sha256(asked);
  }

  /**
   * Runs a request unless it has been run under its key.
   *
   * @param partition whose the answer is
   * @param fingerprint what makes the request the same one
   * @param work given the minted identifier
   */
  Encoded once(Partition partition, String scope, String fingerprint, Function<String, Ran> work) {
    // Before anything is done: the answer is not to be lost for want of what seals it.
    Sealer.Seal seal = sealer.sealing(partition, Sealer.Purpose.ANSWER);
    Instant deadline = clock.instant().plus(PATIENCE);
    while (true) {
      Entry fresh = new Entry(fingerprint, ids.next(), leaseUntil(), null);
      if (records.begin(scope, fresh, clock.instant())) {
        return run(seal, scope, fresh, work);
      }
      // Empty when the key has just been released: then begin anew.
      Optional<Entry> found = records.find(scope);
      if (found.isPresent()) {
        Entry entry = found.get();
        if (!entry.fingerprint().equals(fingerprint)) {
          throw new ApiException(
              ErrorCode.IDEMPOTENCY_CONFLICT,
              "This Idempotency-Key was used with another body, or by another caller. Use a new one.");
        }
        if (entry.answer() != null) {
          return replay(partition, scope, entry.answer());
        }
        if (entry.equals(fresh)) {
          // It was begun after all: the client repeated a write whose answer was lost.
          return run(seal, scope, fresh, work);
        }
        if (entry.leaseUntil() <= clock.millis()) {
          Entry taken = new Entry(fingerprint, entry.mintedId(), leaseUntil(), null);
          if (records.takeOver(scope, entry, taken)) {
            return run(seal, scope, taken, work);
          }
        } else if (clock.instant().isBefore(deadline)) {
          sleeper.sleep(POLL);
        } else {
          throw inProgress();
        }
      }
    }
  }

  private long leaseUntil() {
    return clock.instant().plus(LEASE).toEpochMilli();
  }

  private static ApiException inProgress() {
    return new ApiException(
        new ApiError(
            ErrorCode.IDEMPOTENCY_IN_PROGRESS,
            "The first request under this Idempotency-Key has not been answered yet.",
            null,
            null,
            Duration.ofSeconds(2)));
  }

  private Encoded run(Sealer.Seal seal, String scope, Entry lease, Function<String, Ran> work) {
    try {
      Ran ran = work.apply(lease.mintedId());
      settle(seal, scope, lease, ran);
      return ran.encoded();
    } catch (RuntimeException fault) {
      try {
        giveUpLease(scope, lease);
      } catch (StoreUnavailable e) {
        // Then the lease runs out by itself; what is to be told is the first fault.
        fault.addSuppressed(e);
      }
      throw fault;
    }
  }

  private void settle(Sealer.Seal seal, String scope, Entry lease, Ran ran) {
    if (isKept(ran.reply())) {
      keep(seal, scope, lease, ran.encoded());
    } else if (ran.reply() instanceof Reply.Pending) {
      giveUpLease(scope, lease);
    } else if (ran.reply() instanceof Reply.Remade(_, String minted) && minted != null) {
      records.takeOver(scope, lease, new Entry(lease.fingerprint(), minted, clock.millis(), null));
    } else {
      release(scope, lease);
    }
  }

  private void giveUpLease(String scope, Entry lease) {
    records.takeOver(
        scope, lease, new Entry(lease.fingerprint(), lease.mintedId(), clock.millis(), null));
  }

  private static boolean isKept(Reply reply) {
    return switch (reply) {
      case Reply.Answer answer -> answer.status() / 100 == 2;
      case Reply.Failure(ApiError error) -> error.code() == ErrorCode.POLICY_BLOCKED;
      case Reply.With(Reply inner, _) -> isKept(inner);
      // What is no JSON is not kept: it is made again.
      case Reply.Text _,
          Reply.Page _,
          Reply.Streamed _,
          Reply.Redirect _,
          Reply.Empty _,
          Reply.Asset _,
          Reply.Remade _,
          Reply.Pending _ ->
          false;
    };
  }

  /**
   * An answer too large to be kept is not: the same request runs again, on the same minted
   * identifier.
   */
  private void keep(Sealer.Seal seal, String scope, Entry lease, Encoded encoded) {
    String answer = StoredAnswer.seal(seal, scope, encoded);
    if (answer.length() > StoredAnswer.MOST_CHARACTERS) {
      giveUpLease(scope, lease);
      return;
    }
    records.complete(
        scope,
        new Entry(lease.fingerprint(), lease.mintedId(), lease.leaseUntil(), answer),
        clock.instant());
  }

  /** A lease that has run out may be another's by now, and is left to it. */
  private void release(String scope, Entry lease) {
    if (clock.millis() < lease.leaseUntil()) {
      records.release(scope);
    }
  }

  private Encoded replay(Partition partition, String scope, String answer) {
    StoredAnswer stored = StoredAnswer.open(sealer, partition, scope, answer);
    int status = stored.status() / 100 == 2 ? 200 : stored.status();
    return new Encoded(
        status,
        Map.of("Content-Type", "application/json", "Idempotent-Replayed", "true"),
        stored.body());
  }
}
