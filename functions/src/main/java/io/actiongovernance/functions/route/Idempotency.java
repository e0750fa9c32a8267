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
 * Implements the rules of Idempotency-Key (contract, section 1). The first request under a key
 * takes a lease that holds an identifier minted for the resource it may create; others wait for its
 * answer. Answers 2xx and {@code policy_blocked} are kept for 24 hours and replayed; every other
 * answer releases the key.
 *
 * <p>A request may end without a final answer, because of a fault or because its work continues. It
 * then gives up its lease but keeps the key and the minted identifier, so a retry of the same
 * request resumes immediately. If the process dies, the lease stays until it expires. Thread-safe.
 */
public final class Idempotency {
  /**
   * The longest time that a request may hold a key without an answer. It is longer than any
   * function runs.
   */
  static final Duration LEASE = Duration.ofSeconds(40);

  /** The longest time a request waits for the answer of the first request under its key. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final int LONGEST_KEY = 255;

  private final IdempotencyRecords records;
  private final Sealer sealer;
  private final Ids ids;
  private final InstantSource clock;
  private final Sleeper sleeper;

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

  /** The result of running a request: the reply, and its encoded form. */
  record Ran(Reply reply, Encoded encoded) {}

  /** The key in a header, without surrounding quotes; empty if there is no header. */
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
   * The scope in which a key is unique: a tenant's mode, a method, a concrete path, and the callers
   * of one reach. Callers pinned to a workspace or bound to operators share no answers with callers
   * of another reach, because an answer may contain data that the others may not see.
   */
  static String scope(Caller caller, Route.Keyed keyed, String method, String path, String key) {
    ArrayNode scope = Json.object().putArray("scope");
    scope.add(caller.partition().key()).add(method).add(path).add(key).add(caller.workspaceId());
    ArrayNode operators = scope.addArray();
    caller.operatorIds().stream().map(OperatorId::value).sorted().forEach(operators::add);
    // The scope names a person or an agent, so that their answers are replayed only to them; it
    // does not name an API key. If the fingerprint names the asker, the scope does not: another
    // caller then finds the entry and is refused.
    if (keyed != Route.Keyed.TO_ASKER) {
      caller.person().ifPresent(person -> scope.add(person.value()));
      caller.agent().ifPresent(agent -> scope.add(agent.id()));
    }
    return CanonicalJson.sha256(scope);
  }

  /**
   * Identifies equal requests by their body, and also by the asker if only the asker gets the
   * answer.
   */
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
   * Runs a request unless it has already run under its key.
   *
   * @param partition the owner of the answer
   * @param fingerprint identifies equal requests
   * @param work runs the request with the minted identifier
   */
  Encoded once(Partition partition, String scope, String fingerprint, Function<String, Ran> work) {
    // Get the seal before doing any work, so that no answer is lost because it cannot be sealed.
    Sealer.Seal seal = sealer.sealing(partition, Sealer.Purpose.ANSWER);
    Instant deadline = clock.instant().plus(PATIENCE);
    while (true) {
      Entry fresh = new Entry(fingerprint, ids.next(), leaseUntil(), null);
      if (records.begin(scope, fresh, clock.instant())) {
        return run(seal, scope, fresh, work);
      }
      // Empty if the key was released just now; the loop then begins again.
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
          // Our write took effect after all: the AWS client repeated it because the first response
          // was lost.
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
        // The lease then expires later; the first fault is the one to report.
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
      // Only JSON answers are kept; a retry makes the others again.
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
   * Keeps an answer. If the answer is too large, it gives up the lease instead, so a retry runs
   * again with the same minted identifier.
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

  /** Releases the key, unless the lease has expired: another request may hold the key by now. */
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
