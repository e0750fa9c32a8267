package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.api.Fields;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.webhook.EndpointHealth.Health;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes, changes, suspends and deletes endpoints (specification, Webhook endpoints; contract,
 * section 8). An endpoint, the URL it holds while it is active, the tenant's count, and the receipt
 * of a request's change are one transaction. Thread-safe.
 */
public final class ManageEndpoints {
  /** How often a change is made anew that another one has overtaken. */
  private static final int TRIES = 5;

  private final Endpoints endpoints;
  private final EndpointHealth health;
  private final EndpointSecrets secrets;
  private final Transactions transactions;
  private final Terms terms;
  private final InstantSource clock;

  /** How the route that retrieves an endpoint answers it: what the receipts of changes attest. */
  @FunctionalInterface
  public interface Form {
    ObjectNode of(Endpoint endpoint, Health health);
  }

  /**
   * What the deployment says of endpoints.
   *
   * @param egress what speaks against connecting to a URL before its name is looked up
   * @param overlap how long a rotated secret still signs, unless a request says otherwise
   */
  public record Terms(Function<URI, Optional<String>> egress, Duration overlap, Form form) {}

  public ManageEndpoints(
      Endpoints endpoints,
      EndpointHealth health,
      EndpointSecrets secrets,
      Transactions transactions,
      Terms terms,
      InstantSource clock) {
    this.endpoints = endpoints;
    this.health = health;
    this.secrets = secrets;
    this.transactions = transactions;
    this.terms = terms;
    this.clock = clock;
  }

  /** What became of a request to make or change an endpoint. */
  public sealed interface Result {
    /**
     * The endpoint as it now is.
     *
     * @param secret its new secret, to be told this once; null if it has none
     */
    record Done(Endpoint endpoint, @Nullable SigningSecret secret) implements Result {}

    /** The caller sees no such endpoint. */
    record NotFound() implements Result {}

    /** Another active endpoint has the URL. */
    record UrlTaken() implements Result {}

    /** The tenant has {@value Endpoints#QUOTA} endpoints. */
    record QuotaExceeded() implements Result {}

    /** Other requests kept changing it. */
    record Contended() implements Result {}
  }

  /**
   * Makes an endpoint.
   *
   * @param id minted for the request: one that died half-way and comes again with it finds the
   *     endpoint it made
   */
  public Result create(Caller caller, EndpointId id, Fields body) {
    NewEndpoint wanted = NewEndpoint.read(body, terms.egress());
    Instant now = now();
    Endpoint endpoint =
        new Endpoint(
            id,
            caller.partition(),
            caller.workspaceFor(wanted.workspaceId()),
            wanted.url(),
            wanted.types(),
            wanted.description(),
            EndpointStatus.ACTIVE,
            null,
            secrets.first(id, id.value()),
            1,
            now,
            now);
    List<Write> writes =
        List.of(
            Write.insert(EndpointItems.item(endpoint)),
            Write.insert(EndpointItems.urlItem(endpoint)),
            Write.update(
                EndpointItems.countKey(caller.partition().tenant()),
                Condition.or(
                    Condition.lacks(EndpointItems.HELD),
                    Condition.less(EndpointItems.HELD, Endpoints.QUOTA)),
                Change.add(EndpointItems.HELD, 1)),
            receipt(
                    endpoint,
                    null,
                    terms.form().of(endpoint, Health.UNKNOWN),
                    false,
                    caller,
                    id.value().substring(EndpointId.PREFIX.length()))
                .orElseThrow());
    if (!(transactions.run(writes) instanceof Store.Transacted.Refused refused)) {
      return told(endpoint);
    }
    Optional<Store.Refusal> made = refused.of(0);
    if (made.isPresent()) {
      return told(EndpointItems.endpoint(made.get().found().orElseThrow()));
    }
    return refused.of(1).isPresent() ? new Result.UrlTaken() : new Result.QuotaExceeded();
  }

  private Result told(Endpoint endpoint) {
    return new Result.Done(endpoint, secrets.present(endpoint));
  }

  /** Reads what a request changes. */
  public EndpointChange change(Fields body) {
    return EndpointChange.read(body, terms.egress(), terms.overlap());
  }

  /**
   * Changes an endpoint.
   *
   * @param request the same for the same request sent again, which then finds its own rotation
   */
  public Result change(Caller caller, EndpointId id, EndpointChange change, String request) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<Endpoint> found = endpoints.find(caller, id);
      if (found.isEmpty()) {
        return new Result.NotFound();
      }
      Endpoint before = found.get();
      Endpoint after = with(before, change, request);
      Result result =
          same(before, after)
              ? done(before, change)
              : replace(before, after, change, caller, request);
      if (!(result instanceof Result.Contended)) {
        return result;
      }
    }
    return new Result.Contended();
  }

  private Result replace(
      Endpoint before, Endpoint after, EndpointChange change, Caller caller, String request) {
    boolean moves = !urlHeld(before).equals(urlHeld(after));
    Health found = health.of(before);
    Health left = moves && after.active() ? found.anew() : found;
    Write receipt =
        receipt(
                after,
                terms.form().of(before, found),
                terms.form().of(after, left),
                !before.secrets().equals(after.secrets()),
                caller,
                request)
            .orElseThrow();
    List<Write> writes = new ArrayList<>(List.of(put(before, after), receipt));
    if (moves && before.active()) {
      writes.add(releaseUrl(before));
    }
    if (moves && after.active()) {
      writes.add(
          Write.put(
              EndpointItems.urlItem(after),
              Condition.or(Condition.absent(), Condition.equal("id", after.id().value()))));
    }
    if (transactions.run(writes) instanceof Store.Transacted.Refused refused) {
      if (refused.of(0).isPresent()) {
        return new Result.Contended();
      }
      // Where its receipt is there, this request changed it before, and others have since.
      return refused.of(1).isPresent() ? done(before, change) : new Result.UrlTaken();
    }
    if (moves && after.active()) {
      health.forget(after);
    }
    return done(after, change);
  }

  private Optional<Write> receipt(
      Endpoint endpoint,
      @Nullable ObjectNode before,
      @Nullable ObjectNode after,
      boolean rotated,
      Caller caller,
      String request) {
    return new ConfigChange(
            ConfigChange.Target.WEBHOOK_ENDPOINT,
            endpoint.id().value(),
            endpoint.partition(),
            endpoint.workspaceId(),
            before,
            after,
            rotated ? Set.of("secret") : Set.of())
        .receipt(caller, request, now());
  }

  private Result done(Endpoint endpoint, EndpointChange change) {
    return change.rotates() ? told(endpoint) : new Result.Done(endpoint, null);
  }

  /**
   * Suspends an active endpoint; false if it has been changed since it was read, and is to be
   * judged anew.
   */
  boolean suspend(Endpoint endpoint, String reason) {
    Endpoint suspended =
        copy(
            endpoint,
            endpoint.url(),
            endpoint.types(),
            endpoint.description(),
            EndpointStatus.SUSPENDED,
            reason,
            endpoint.secrets());
    return transactions.run(List.of(put(endpoint, suspended), releaseUrl(endpoint))).done();
  }

  /**
   * Deletes an endpoint; false if the caller sees none.
   *
   * @param request minted for the request
   */
  public boolean delete(Caller caller, EndpointId id, String request) {
    Optional<Endpoint> found = endpoints.find(caller, id);
    if (found.isEmpty()) {
      return false;
    }
    Endpoint endpoint = found.get();
    List<Write> writes = new ArrayList<>();
    writes.add(
        Write.delete(
            EndpointItems.key(endpoint.partition(), id),
            Condition.equal(EndpointItems.VERSION, endpoint.version())));
    writes.add(
        Write.put(
            EndpointItems.deleted(endpoint, now().plus(Delivery.RETENTION)), Condition.always()));
    writes.add(
        Write.update(
            EndpointItems.countKey(endpoint.partition().tenant()),
            Condition.greater(EndpointItems.HELD, 0),
            Change.add(EndpointItems.HELD, -1)));
    if (endpoint.active()) {
      writes.add(releaseUrl(endpoint));
    }
    writes.add(
        receipt(
                endpoint,
                terms.form().of(endpoint, health.of(endpoint)),
                null,
                false,
                caller,
                request)
            .orElseThrow());
    if (!transactions.run(writes).done()) {
      // Changed or deleted meanwhile: what is stored now tells.
      return delete(caller, id, request);
    }
    health.delete(endpoint);
    return true;
  }

  private static Write put(Endpoint before, Endpoint after) {
    return Write.put(
        EndpointItems.item(after), Condition.equal(EndpointItems.VERSION, before.version()));
  }

  private static Write releaseUrl(Endpoint endpoint) {
    return Write.delete(
        EndpointItems.urlKey(endpoint),
        Condition.or(Condition.absent(), Condition.equal("id", endpoint.id().value())));
  }

  /** The place an endpoint keeps others from, or nothing. */
  private static Optional<String> urlHeld(Endpoint endpoint) {
    return endpoint.active() ? Optional.of(EndpointUrl.place(endpoint.url())) : Optional.empty();
  }

  private static boolean same(Endpoint before, Endpoint after) {
    return before.url().equals(after.url())
        && before.types().equals(after.types())
        && Objects.equals(before.description(), after.description())
        && before.status() == after.status()
        && before.secrets().equals(after.secrets());
  }

  private Endpoint with(Endpoint before, EndpointChange change, String request) {
    EndpointStatus status = change.status() == null ? before.status() : change.status();
    return copy(
        before,
        change.url() == null ? before.url() : change.url(),
        change.types() == null ? before.types() : change.types(),
        description(before, change),
        status,
        status == before.status() ? before.statusReason() : null,
        change.rotates()
            ? secrets.rotated(before, change.overlap(), now(), request)
            : before.secrets());
  }

  private static @Nullable String description(Endpoint before, EndpointChange change) {
    if (change.undescribed()) {
      return null;
    }
    return change.description() == null ? before.description() : change.description();
  }

  private Endpoint copy(
      Endpoint before,
      String url,
      List<DeliveryType> types,
      @Nullable String description,
      EndpointStatus status,
      @Nullable String statusReason,
      Endpoint.Secrets newSecrets) {
    return new Endpoint(
        before.id(),
        before.partition(),
        before.workspaceId(),
        url,
        types,
        description,
        status,
        statusReason,
        newSecrets,
        before.version() + 1,
        before.createdAt(),
        now());
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
