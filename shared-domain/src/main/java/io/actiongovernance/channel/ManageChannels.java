package io.actiongovernance.channel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.channel.ChannelLines.Judged;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.DestinationHealth.Health;
import io.actiongovernance.webhook.EndpointStatus;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes channels (contract for people, section 5). One transaction writes a
 * channel, the tenant's count, and the receipt of a request's change. Thread-safe.
 */
public final class ManageChannels {
  private static final Refusal QUOTA_EXCEEDED =
      new Refusal.QuotaExceeded(
          "The tenant already has " + Channel.QUOTA + " channels, the maximum. Delete one first.");

  private final Channels channels;
  private final DestinationHealth health;
  private final ChannelSecrets secrets;
  private final Transactions transactions;
  private final Terms terms;
  private final ChannelLines lines;
  private final InstantSource clock;

  /**
   * Published form of a channel, as the route that retrieves it returns it. The receipts of changes
   * contain its hash.
   */
  @FunctionalInterface
  public interface Representation {
    ObjectNode of(Channel channel, Health health);
  }

  /**
   * The deployment's terms for channels.
   *
   * @param egress returns why a URL must not be connected to, before its name is looked up
   * @param named whether a host is an address that the deployment itself permits
   */
  public record Terms(
      Function<URI, Optional<String>> egress,
      Predicate<String> named,
      BiPredicate<Caller, OperatorId> reaches,
      Representation form) {}

  public ManageChannels(
      Channels channels,
      DestinationHealth health,
      ChannelSecrets secrets,
      Transactions transactions,
      Terms terms,
      InstantSource clock) {
    this.channels = channels;
    this.health = health;
    this.secrets = secrets;
    this.transactions = transactions;
    this.terms = terms;
    this.lines = new ChannelLines(terms.egress(), terms.named());
    this.clock = clock;
  }

  /**
   * Creates a channel.
   *
   * @param id the identifier minted for the request. A request that failed midway and is sent again
   *     finds the channel it created
   */
  public Outcome<Channel> create(Caller caller, ChannelId id, NewChannel wanted) {
    Optional<Refusal> unfit =
        unknown(caller, wanted.operators()).or(() -> caller.beyondKey(wanted.workspaceId()));
    return unfit.isPresent()
        ? Outcome.refused(unfit.get())
        : lines
            .ofNew(wanted.type(), wanted.line())
            .then(judged -> create(caller, id, wanted, judged));
  }

  private Outcome<Channel> create(Caller caller, ChannelId id, NewChannel wanted, Judged judged) {
    Instant now = now();
    Channel channel =
        new Channel(
            id,
            caller.partition(),
            caller.workspaceFor(wanted.workspaceId()),
            wanted.description(),
            wanted.types(),
            wanted.operators(),
            judged.line(),
            secrets.seal(caller.partition(), id, judged.secret()),
            EndpointStatus.ACTIVE,
            null,
            1,
            now,
            now);
    List<Write> writes =
        List.of(
            Write.insert(ChannelItems.item(channel)),
            Write.update(
                ChannelItems.countKey(caller.partition().tenant()),
                Condition.or(
                    Condition.lacks(ChannelItems.COUNT),
                    Condition.less(ChannelItems.COUNT, Channel.QUOTA)),
                Change.add(ChannelItems.COUNT, 1)),
            receipt(
                channel,
                null,
                terms.form().of(channel, Health.UNKNOWN),
                Set.of(),
                caller,
                id.value().substring(ChannelId.PREFIX.length())));
    if (!(transactions.run(writes) instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(channel);
    }
    return refused
        .of(0)
        .map(made -> Outcome.done(ChannelItems.channel(made.found().orElseThrow())))
        .orElseGet(() -> Outcome.refused(QUOTA_EXCEEDED));
  }

  /**
   * Changes a channel.
   *
   * @param request identical if the same request is sent again
   */
  public Outcome<Channel> change(
      Caller caller, ChannelId id, ChannelChange change, String request) {
    List<OperatorId> operators = change.operators();
    Optional<Refusal> unfit = operators == null ? Optional.empty() : unknown(caller, operators);
    if (unfit.isPresent()) {
      return Outcome.refused(unfit.get());
    }
    return Transactions.change(
        "channel",
        () ->
            switch (channels.find(caller, id)) {
              case Refused<Channel> refused -> Optional.of(refused);
              case Done<Channel>(Channel before) -> changed(before, change, caller, request);
            });
  }

  /** Writes the change; empty if another request has changed the channel since it was read. */
  private Optional<Outcome<Channel>> changed(
      Channel before, ChannelChange change, Caller caller, String request) {
    ChannelSecret secret = secrets.open(before);
    return switch (lines.changed(before.line(), secret, change.line())) {
      case Refused<Judged>(Refusal refusal) -> Optional.of(Outcome.refused(refusal));
      case Done<Judged>(Judged judged) -> {
        Channel after = with(before, change, judged, !judged.secret().equals(secret));
        yield same(before, after)
            ? Optional.of(Outcome.done(before))
            : replace(before, after, caller, request);
      }
    };
  }

  private Optional<Outcome<Channel>> replace(
      Channel before, Channel after, Caller caller, String request) {
    boolean revives = !before.active() && after.active();
    Health found = health.of(before.destination());
    Set<String> changed =
        Objects.equals(before.secret(), after.secret())
            ? Set.of()
            : Set.of(after.line().type() == ChannelType.SLACK ? "url" : "credentials");
    Write receipt =
        receipt(
            after,
            terms.form().of(before, found),
            terms.form().of(after, revives ? found.anew() : found),
            changed,
            caller,
            request);
    if (transactions.run(List.of(put(before, after), receipt))
        instanceof Store.Transacted.Refused refused) {
      // If its receipt exists, this request already made the change, and other requests have
      // changed the channel since.
      return refused.of(0).isPresent() && refused.of(1).isEmpty()
          ? Optional.empty()
          : Optional.of(Outcome.done(before));
    }
    if (revives) {
      health.forget(after.destination());
    }
    return Optional.of(Outcome.done(after));
  }

  /** Suspends an active channel, unless it has changed since it was read. */
  void suspend(Channel channel, String reason) {
    transactions.run(
        List.of(
            put(
                channel,
                copy(
                    channel,
                    channel.description(),
                    channel.types(),
                    channel.operators(),
                    new SealedLine(channel.line(), channel.secret()),
                    new StatusChange(EndpointStatus.SUSPENDED, reason)))));
  }

  /**
   * Deletes a channel.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<ChannelId> delete(Caller caller, ChannelId id, String request) {
    return channels.find(caller, id).then(channel -> delete(caller, channel, request));
  }

  private Outcome<ChannelId> delete(Caller caller, Channel channel, String request) {
    List<Write> writes =
        List.of(
            Write.delete(
                ChannelItems.key(channel.partition(), channel.id()),
                Condition.equal(ChannelItems.VERSION, channel.version())),
            Write.update(
                ChannelItems.countKey(channel.partition().tenant()),
                Condition.greater(ChannelItems.COUNT, 0),
                Change.add(ChannelItems.COUNT, -1)),
            receipt(
                channel,
                terms.form().of(channel, health.of(channel.destination())),
                null,
                Set.of(),
                caller,
                request));
    if (!transactions.run(writes).done()) {
      // Another request changed or deleted the channel: the stored state decides.
      return delete(caller, channel.id(), request);
    }
    health.delete(channel.destination());
    return Outcome.done(channel.id());
  }

  private Optional<Refusal> unknown(Caller caller, List<OperatorId> operators) {
    for (int at = 0; at < operators.size(); at++) {
      if (!terms.reaches().test(caller, operators.get(at))) {
        String param = "operators[" + at + "]";
        return Optional.of(new Refusal.Invalid(param, param + " is not the id of an operator."));
      }
    }
    return Optional.empty();
  }

  private Write receipt(
      Channel channel,
      @Nullable ObjectNode before,
      @Nullable ObjectNode after,
      Set<String> changedSecrets,
      Caller caller,
      String request) {
    return new ConfigChange(
            ConfigChange.Target.CHANNEL,
            channel.id().value(),
            channel.partition(),
            channel.workspaceId(),
            before,
            after,
            changedSecrets)
        .receipt(caller, request, now())
        .orElseThrow();
  }

  private static Write put(Channel before, Channel after) {
    return Write.put(
        ChannelItems.item(after), Condition.equal(ChannelItems.VERSION, before.version()));
  }

  private static boolean same(Channel before, Channel after) {
    return Objects.equals(before.description(), after.description())
        && before.types().equals(after.types())
        && before.operators().equals(after.operators())
        && before.line().equals(after.line())
        && Objects.equals(before.secret(), after.secret())
        && before.status() == after.status();
  }

  private Channel with(Channel before, ChannelChange change, Judged judged, boolean resealed) {
    EndpointStatus status = change.status() == null ? before.status() : change.status();
    List<NotificationType> types = change.types();
    List<OperatorId> operators = change.operators();
    return copy(
        before,
        change.description().orKeep(before.description()),
        types == null ? before.types() : types,
        operators == null ? before.operators() : operators,
        new SealedLine(
            judged.line(),
            resealed
                ? secrets.seal(before.partition(), before.id(), judged.secret())
                : before.secret()),
        new StatusChange(status, status == before.status() ? before.statusReason() : null));
  }

  private record SealedLine(Channel.Line line, @Nullable String secret) {}

  private record StatusChange(EndpointStatus status, @Nullable String reason) {}

  private Channel copy(
      Channel before,
      @Nullable String description,
      List<NotificationType> types,
      List<OperatorId> operators,
      SealedLine told,
      StatusChange standing) {
    return new Channel(
        before.id(),
        before.partition(),
        before.workspaceId(),
        description,
        types,
        operators,
        told.line(),
        told.secret(),
        standing.status(),
        standing.reason(),
        before.version() + 1,
        before.createdAt(),
        now());
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
