package io.actiongovernance.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.InMemoryTimers;
import io.actiongovernance.webhook.AttemptDelivery;
import io.actiongovernance.webhook.BeginDelivery;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.DestinationTypes;
import io.actiongovernance.webhook.EndpointStatus;
import io.actiongovernance.webhook.RetryProfile;
import io.actiongovernance.webhook.RetryTimers;
import io.actiongovernance.webhook.WatchDestination;
import io.actiongovernance.webhook.WebhookSender.Reply;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels, over a store in memory (contract for people, section 5). */
final class ChannelsTest implements ChannelSender {
  private static final String HOOK = "https://hooks.slack.com/services/T0/B0/secret";
  private static final Notification RING =
      new Notification("Halted", List.of(), URI.create("https://gov.example/console"));
  private static final WantedLine NOTHING =
      new WantedLine(null, null, null, null, null, Given.absent());

  private Instant now = Instant.parse("2026-11-20T12:00:00Z");
  private final Ids ids = new Ids(() -> now, new Random(1));
  private final Partition partition = new Partition(new TenantId("t_" + ids.next()), Mode.LIVE);
  private final Caller caller =
      new Caller(RequestId.next(ids), partition, null, KeyId.next(ids), "key", Set.of(), null);
  private final OperatorId known = new OperatorId("op_" + ids.next());
  private final InMemoryStore store = new InMemoryStore();
  private final Channels channels = new Channels(store);
  private final DestinationHealth health = new DestinationHealth(store);
  private final InMemoryTimers timers = new InMemoryTimers();
  private final List<Delivery> sent = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final Deque<Reply> replies = new ArrayDeque<>();
  private final ChannelSecrets secrets =
      new ChannelSecrets(new Sealer(List.of(new byte[32]), new SecureRandom()));
  private final ManageChannels manage =
      new ManageChannels(
          channels,
          health,
          secrets,
          new Transactions(store, _ -> {}, new Random(2)),
          new ManageChannels.Terms(
              url ->
                  url.getHost().startsWith("10.")
                      ? Optional.of("must not name an address inside the network")
                      : Optional.empty(),
              host -> host.equals("127.0.0.1"),
              (_, operator) -> operator.equals(known),
              (channel, _) -> (ObjectNode) Json.tree(channel)),
          () -> now);
  private final RetryTimers retries =
      new RetryTimers(
          new RetryProfile(List.of(Duration.ZERO, Duration.ofSeconds(30))), timers, new Random(3));
  private final BeginDelivery begin =
      new BeginDelivery(store, (delivery, _, _) -> sent.add(delivery), retries, () -> now);
  private final Bell bell =
      new Bell(store, new Transactions(store, _ -> {}, new Random(4)), () -> now);
  private final AttemptDelivery attempt =
      new AttemptDelivery(
          store,
          new DestinationTypes(
              (_, _) -> Optional.empty(),
              new ChannelDestination(
                  channels, new TellChannel(secrets, this), manage, compose(), bell)),
          new WatchDestination(health),
          retries,
          () -> now);

  private ComposeNotification compose() {
    LoopFixture plans = new LoopFixture(store);
    return new ComposeNotification(
        plans.loop.reading().plans(),
        plans.loop.reading().actions(),
        plans.loop.executing().halts(),
        plans.operators,
        URI.create("https://gov.example/console"),
        () -> now);
  }

  @Override
  public Reply post(URI url, Notification notification) {
    told.add(url + " " + notification.title());
    return reply();
  }

  @Override
  public Reply mail(
      Channel.Line line, @Nullable Login login, Notification notification, String id) {
    told.add(
        line.host() + " " + (login == null ? "-" : login.password()) + " " + notification.title());
    return reply();
  }

  private Reply reply() {
    Reply next = replies.poll();
    return next == null ? new Reply.Answered(200, null) : next;
  }

  private static WantedLine hook(String url) {
    return new WantedLine(url, null, null, null, null, Given.absent());
  }

  private static WantedLine mail(String host, int port, String from, String... to) {
    return new WantedLine(
        null, host, port, from, List.of(to), Given.of(new Login("gov", "s3cret")));
  }

  private static WantedLine mail() {
    return mail("smtp.example.com", 587, "gov@example.com", "dana@example.com");
  }

  private Outcome<Channel> create(ChannelType type, WantedLine line, OperatorId... operators) {
    NewChannel wanted =
        new NewChannel(
            type,
            line,
            List.of(NotificationType.APPROVAL_REQUESTED, NotificationType.HALT),
            List.of(operators),
            null,
            null);
    return manage.create(caller, ChannelId.next(ids), wanted);
  }

  private static Channel done(Outcome<Channel> outcome) {
    return switch (outcome) {
      case io.actiongovernance.outcome.Done(Channel channel) -> channel;
      case Refused(Refusal refusal) -> throw new AssertionError(refusal.sentence());
    };
  }

  private static Refusal refused(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Refused.class);
    return ((Refused<?>) outcome).refusal();
  }

  private Outcome<Channel> change(Channel channel, WantedLine line) {
    return manage.change(
        caller,
        channel.id(),
        new ChannelChange(line, null, null, Given.absent(), null),
        ids.next());
  }

  private Channel turned(Channel channel, EndpointStatus status) {
    return done(
        manage.change(
            caller,
            channel.id(),
            new ChannelChange(NOTHING, null, null, Given.absent(), status),
            ids.next()));
  }

  private int receipts() {
    return store
        .query(Query.of(Table.RECEIPTS, partition.key(ReceiptLedger.CONFIG_PART)))
        .items()
        .size();
  }

  private DeliveryId notification(Channel channel, String fact) {
    DeliveryId id = BeginDelivery.id(channel.id(), fact, now);
    begin.begin(
        channel.destination(),
        id,
        NotificationType.HALT.wire(),
        false,
        new BeginDelivery.Message(Json.write(RING), null, null),
        health.of(channel.destination()));
    return id;
  }

  @ParameterizedTest
  @CsvSource({
    "http://hooks.slack.com/x, url",
    "hooks.slack.com/x, url",
    "https://a:b@hooks.slack.com/x, url",
    "https://10.0.0.1/x, url",
  })
  void aHookIsAnHttpsUrlOutsideTheNetwork(String url, String param) {
    assertThat(refused(create(ChannelType.SLACK, hook(url))).path()).isEqualTo(param);
    assertThat(channels.all(partition)).isEmpty();
    assertThat(receipts()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 587, gov@example.com, dana@example.com, host",
    "smtp example.com, 587, gov@example.com, dana@example.com, host",
    "smtp.example.com/, 587, gov@example.com, dana@example.com, host",
    "smtp.example.com, 25, gov@example.com, dana@example.com, port",
    "smtp.example.com, 0, gov@example.com, dana@example.com, port",
    "smtp.example.com, 587, gov, dana@example.com, from",
    "smtp.example.com, 587, 'Gov <gov@example.com>', dana@example.com, from",
    "smtp.example.com, 587, gov@example.com, 'dana@example.com\nBcc: eve@example.com', to[0]",
    "smtp.example.com, 587, gov@example.com, 'dana@example.com,eve@example.com', to[0]",
    "smtp.example.com, 587, gov@example.com, dana@-example.com, to[0]",
    "smtp.example.com, 587, gov@example.com, dänä@example.com, to[0]",
  })
  void anInvalidMailServerOrAddressIsRefused(
      String host, int port, String from, String to, String param) {
    Refusal refusal = refused(create(ChannelType.EMAIL, mail(host, port, from, to)));
    assertThat(refusal.path()).isEqualTo(param);
    assertThat(channels.all(partition)).isEmpty();
  }

  @Test
  void anotherPortIsAllowedForAddressesNamedByTheDeployment() {
    assertThat(
            done(create(ChannelType.EMAIL, mail("127.0.0.1", 2525, "a@b.example", "c@d.example"))))
        .extracting(channel -> channel.line().port())
        .isEqualTo(2525);
  }

  @Test
  void fieldsOfAnotherChannelTypeAreRefused() {
    WantedLine both = new WantedLine(HOOK, "smtp.example.com", null, null, null, Given.absent());
    assertThat(refused(create(ChannelType.SLACK, both)).path()).isEqualTo("host");
    assertThat(refused(create(ChannelType.EMAIL, hook(HOOK))))
        .isInstanceOf(Refusal.Missing.class)
        .extracting(Refusal::path)
        .isEqualTo("host");
    Channel channel = done(create(ChannelType.EMAIL, mail()));
    assertThat(refused(change(channel, hook(HOOK))).path()).isEqualTo("url");
  }

  @Test
  void aChannelNamesOnlyOperatorsVisibleToTheCaller() {
    Outcome<Channel> unknown =
        create(ChannelType.SLACK, hook(HOOK), known, new OperatorId("op_" + ids.next()));
    assertThat(refused(unknown).path()).isEqualTo("operators[1]");
    assertThat(done(create(ChannelType.SLACK, hook(HOOK), known)).operators())
        .containsExactly(known);
  }

  @Test
  void theTwentyFirstIsRefusedUntilOneIsDeleted() {
    Channel first = done(create(ChannelType.SLACK, hook(HOOK)));
    for (int more = 1; more < Channel.QUOTA; more++) {
      done(create(ChannelType.SLACK, hook(HOOK)));
    }
    assertThat(refused(create(ChannelType.SLACK, hook(HOOK))))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    manage.delete(caller, first.id(), ids.next());
    done(create(ChannelType.SLACK, hook(HOOK)));
    assertThat(receipts()).isEqualTo(Channel.QUOTA + 2);
  }

  @Test
  void aRepeatedCreateRequestReturnsTheFirstChannel() {
    ChannelId id = ChannelId.next(ids);
    NewChannel wanted =
        new NewChannel(
            ChannelType.SLACK, hook(HOOK), List.of(NotificationType.HALT), List.of(), null, null);
    Channel made = done(manage.create(caller, id, wanted));
    assertThat(done(manage.create(caller, id, wanted))).isEqualTo(made);
    assertThat(channels.all(partition)).hasSize(1);
    assertThat(receipts()).isEqualTo(1);
  }

  @Test
  void noSecretIsStoredInClear() {
    done(create(ChannelType.SLACK, hook(HOOK)));
    done(create(ChannelType.EMAIL, mail()));
    List<Item> stored = store.query(Query.of(Table.STATE, partition.key(Channels.PART))).items();
    assertThat(stored).hasSize(2);
    assertThat(stored.toString()).contains("hooks.slack.com").doesNotContain("T0/B0", "s3cret");
    assertThat(mail().toString() + new Login("gov", "s3cret")).doesNotContain("s3cret");
  }

  @Test
  void aNewMailServerNeedsItsOwnCredentials() {
    Channel channel = done(create(ChannelType.EMAIL, mail()));
    WantedLine elsewhere =
        new WantedLine(null, "smtp.evil.example", null, null, null, Given.absent());
    assertThat(refused(change(channel, elsewhere)))
        .isInstanceOf(Refusal.Missing.class)
        .extracting(Refusal::path)
        .isEqualTo("credentials");
    WantedLine another = new WantedLine(null, null, 465, null, null, Given.absent());
    assertThat(refused(change(channel, another)).path()).isEqualTo("credentials");
    WantedLine said =
        new WantedLine(
            null, "smtp.other.example", null, null, null, Given.of(new Login("gov", "other")));
    Channel moved = done(change(channel, said));
    WantedLine from = new WantedLine(null, null, null, "ops@example.com", null, Given.absent());
    Channel renamed = done(change(moved, from));
    assertThat(renamed.secret()).isEqualTo(moved.secret());
    attempt.attempt(partition, channel.id(), notification(renamed, "fact"));
    assertThat(told).containsExactly("smtp.other.example other Halted");
  }

  @Test
  void aChangeOfNothingChangesNothing() {
    Channel channel = done(create(ChannelType.EMAIL, mail()));
    int before = receipts();
    WantedLine same =
        new WantedLine(
            null, "SMTP.example.com", 587, null, null, Given.of(new Login("gov", "s3cret")));
    assertThat(done(change(channel, same))).isEqualTo(channel);
    assertThat(receipts()).isEqualTo(before);
  }

  @Test
  void onlyTypesOfActiveChannelsAreHeard() {
    Channel channel = done(create(ChannelType.SLACK, hook(HOOK)));
    assertThat(channels.heard(partition))
        .containsExactlyInAnyOrder("plan.held", "halt.halted", "halt.lifted");
    turned(channel, EndpointStatus.DISABLED);
    assertThat(channels.heard(partition)).isEmpty();
  }

  @Test
  void aRepeatedFactRingsOnce() {
    Channel channel = done(create(ChannelType.SLACK, hook(HOOK)));
    DeliveryId id = notification(channel, "fact");
    attempt.attempt(partition, channel.id(), id);
    assertThat(notification(channel, "fact")).isEqualTo(id);
    attempt.attempt(partition, channel.id(), id);
    assertThat(told).containsExactly(HOOK + " Halted");
    assertThat(health.of(channel.destination()).lastDeliveryAt()).isEqualTo(now);
  }

  @Test
  void aFailedNotificationIsTriedAgain() {
    Channel channel = done(create(ChannelType.SLACK, hook(HOOK)));
    replies.add(new Reply.Failed("the connection broke"));
    DeliveryId id = notification(channel, "fact");
    attempt.attempt(partition, channel.id(), id);
    assertThat(health.of(channel.destination()).failingSince()).isEqualTo(now);
    attempt.attempt(partition, channel.id(), id);
    assertThat(told).as("its time has not come").hasSize(1);
    now = now.plus(Duration.ofSeconds(40));
    attempt.attempt(partition, channel.id(), id);
    assertThat(told).hasSize(2);
    assertThat(health.of(channel.destination()).failingSince()).isNull();
  }

  @Test
  void aDisabledOrDeletedChannelDoesNotRing() {
    Channel channel = done(create(ChannelType.SLACK, hook(HOOK)));
    DeliveryId id = notification(channel, "one");
    turned(channel, EndpointStatus.DISABLED);
    attempt.attempt(partition, channel.id(), id);
    Channel active = turned(channel, EndpointStatus.ACTIVE);
    DeliveryId other = notification(active, "two");
    manage.delete(caller, channel.id(), ids.next());
    attempt.attempt(partition, channel.id(), other);
    assertThat(told).isEmpty();
  }

  @Test
  void aChannelThatFailsForLongIsSuspendedUntilItIsMadeActive() {
    Channel channel = done(create(ChannelType.SLACK, hook(HOOK)));
    for (int failure = 0; failure < 10; failure++) {
      replies.add(new Reply.Answered(404, null));
      attempt.attempt(partition, channel.id(), notification(channel, "fact " + failure));
      now = now.plus(Duration.ofHours(14));
    }
    Channel suspended = channels.find(partition, channel.id()).orElseThrow();
    assertThat(suspended.status()).isEqualTo(EndpointStatus.SUSPENDED);
    assertThat(suspended.statusReason()).contains("120 hours");
    Channel active = turned(suspended, EndpointStatus.ACTIVE);
    assertThat(active.statusReason()).isNull();
    assertThat(health.of(channel.destination()).failures()).isZero();
  }

  @Test
  void aChannelRingsForItsWorkspaceAndOperators() {
    Channel all = done(create(ChannelType.SLACK, hook(HOOK)));
    Channel one = done(create(ChannelType.SLACK, hook(HOOK), known));
    OperatorId other = new OperatorId("op_" + ids.next());
    assertThat(all.ringsFor("first", other)).isTrue();
    assertThat(one.ringsFor("first", known)).isTrue();
    assertThat(one.ringsFor(null, other)).isFalse();
    assertThat(one.ringsFor(null, null)).as("what concerns every operator").isTrue();
  }
}
