package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.webhook.DestinationHealth.Health;
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
 * Creates, changes, suspends and deletes endpoints (specification, Webhook endpoints; contract,
 * section 8). One transaction writes an endpoint, the URL that it reserves while active, the
 * tenant's count, and the receipt of a request's change. Thread-safe.
 */
public final class ManageEndpoints {
  private static final Refusal URL_TAKEN =
      new Refusal.Conflict("An active endpoint with this url already exists.");
  private static final Refusal QUOTA_EXCEEDED =
      new Refusal.QuotaExceeded(
          "The tenant already has "
              + Endpoints.QUOTA
              + " webhook endpoints, the maximum. Delete one first.");

  private final Endpoints endpoints;
  private final DestinationHealth health;
  private final EndpointSecrets secrets;
  private final Transactions transactions;
  private final Terms terms;
  private final InstantSource clock;

  /**
   * Published form of an endpoint, as the route that retrieves it returns it. The receipts of
   * changes contain its hash.
   */
  @FunctionalInterface
  public interface Representation {
    ObjectNode of(Endpoint endpoint, Health health);
  }

  /**
   * The deployment's terms for endpoints.
   *
   * @param egress returns why a URL must not be connected to, before its name is looked up
   * @param overlap how long a rotated secret still signs, unless a request says otherwise
   */
  public record Terms(
      Function<URI, Optional<String>> egress, Duration overlap, Representation form) {}

  public ManageEndpoints(
      Endpoints endpoints,
      DestinationHealth health,
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

  /**
   * An endpoint as it now is.
   *
   * @param secret its new secret, shown only once; null if it has no new one
   */
  public record WithSecret(Endpoint endpoint, @Nullable SigningSecret secret) {}

  /**
   * Creates an endpoint.
   *
   * @param id the identifier minted for the request. A request that failed midway and is sent again
   *     finds the endpoint it created
   */
  public Outcome<WithSecret> create(Caller caller, EndpointId id, NewEndpoint wanted) {
    Optional<Refusal> unfit =
        EndpointUrl.problem(wanted.url(), terms.egress())
            .or(() -> caller.beyondKey(wanted.workspaceId()));
    if (unfit.isPresent()) {
      return Outcome.refused(unfit.get());
    }
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
            secrets.first(caller.partition(), id, id.value()),
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
                    Condition.lacks(EndpointItems.COUNT),
                    Condition.less(EndpointItems.COUNT, Endpoints.QUOTA)),
                Change.add(EndpointItems.COUNT, 1)),
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
    return Outcome.refused(refused.of(1).isPresent() ? URL_TAKEN : QUOTA_EXCEEDED);
  }

  private Outcome<WithSecret> told(Endpoint endpoint) {
    return Outcome.done(new WithSecret(endpoint, secrets.present(endpoint)));
  }

  /**
   * Changes an endpoint.
   *
   * @param request identical if the same request is sent again, which then finds its own rotation
   */
  public Outcome<WithSecret> change(
      Caller caller, EndpointId id, EndpointChange change, String request) {
    Optional<Refusal> unfit =
        Optional.ofNullable(change.url()).flatMap(url -> EndpointUrl.problem(url, terms.egress()));
    if (unfit.isPresent()) {
      return Outcome.refused(unfit.get());
    }
    return Transactions.change(
        "endpoint",
        () -> {
          Optional<Endpoint> found = endpoints.find(caller, id);
          if (found.isEmpty()) {
            return Optional.of(Outcome.refused(Endpoints.NOT_FOUND));
          }
          Endpoint before = found.get();
          Endpoint after = with(before, change, request);
          return same(before, after)
              ? Optional.of(done(before, change))
              : replace(before, after, change, caller, request);
        });
  }

  /** Writes the change; empty if another request has changed the endpoint since it was read. */
  private Optional<Outcome<WithSecret>> replace(
      Endpoint before, Endpoint after, EndpointChange change, Caller caller, String request) {
    boolean moves = !urlTaken(before).equals(urlTaken(after));
    Health found = health.of(before.destination());
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
        return Optional.empty();
      }
      // If its receipt exists, this request already made the change, and other requests have
      // changed the endpoint since.
      return Optional.of(
          refused.of(1).isPresent() ? done(before, change) : Outcome.refused(URL_TAKEN));
    }
    if (moves && after.active()) {
      health.forget(after.destination());
    }
    return Optional.of(done(after, change));
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

  private Outcome<WithSecret> done(Endpoint endpoint, EndpointChange change) {
    return change.rotates() ? told(endpoint) : Outcome.done(new WithSecret(endpoint, null));
  }

  /**
   * Suspends an active endpoint. False if it has changed since it was read; it must then be judged
   * again.
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
   * Deletes an endpoint.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<EndpointId> delete(Caller caller, EndpointId id, String request) {
    Optional<Endpoint> found = endpoints.find(caller, id);
    if (found.isEmpty()) {
      return Outcome.refused(Endpoints.NOT_FOUND);
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
            Condition.greater(EndpointItems.COUNT, 0),
            Change.add(EndpointItems.COUNT, -1)));
    if (endpoint.active()) {
      writes.add(releaseUrl(endpoint));
    }
    writes.add(
        receipt(
                endpoint,
                terms.form().of(endpoint, health.of(endpoint.destination())),
                null,
                false,
                caller,
                request)
            .orElseThrow());
    if (!transactions.run(writes).done()) {
      // Another request changed or deleted the endpoint: the stored state decides.
      return delete(caller, id, request);
    }
    health.delete(endpoint.destination());
    return Outcome.done(id);
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

  /** Returns the URL that an endpoint reserves, if any. */
  private static Optional<String> urlTaken(Endpoint endpoint) {
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
        change.description().orKeep(before.description()),
        status,
        status == before.status() ? before.statusReason() : null,
        change.rotates()
            ? secrets.rotated(before, overlap(change), now(), request)
            : before.secrets());
  }

  private Duration overlap(EndpointChange change) {
    return change.overlap() == null ? terms.overlap() : change.overlap();
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
