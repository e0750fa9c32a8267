package io.actiongovernance.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.WebhookSender.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Deliveries from fact to end (contract, section 8). */
final class DeliveriesTest {
  private final WebhookFixture it = new WebhookFixture();

  private Delivery only() {
    assertThat(it.sent).hasSize(1);
    return it.sent.getFirst();
  }

  @Test
  void aRepeatedFactIsTheSameDelivery() {
    Endpoint endpoint = it.endpoint();
    Endpoint other = it.endpoint();
    it.happens("fact");
    it.happens("fact");
    List<DeliveryId> ids = it.sent.stream().map(Delivery::id).distinct().toList();
    assertThat(ids).hasSize(2);
    it.answers(204);
    it.attempt(endpoint, idOf(endpoint));
    int before = it.sent.size();
    it.happens("fact");
    assertThat(it.sent).as("only the other one has still to be attempted").hasSize(before + 1);
    assertThat(it.sent.getLast().to()).isEqualTo(other.id());
    assertThat(it.delivery(endpoint, idOf(endpoint)).status()).isEqualTo(DeliveryStatus.SUCCEEDED);
    it.happens("another");
    assertThat(it.sent.stream().map(Delivery::id).distinct()).hasSize(4);
  }

  private DeliveryId idOf(Endpoint endpoint) {
    return it.sent.stream()
        .filter(delivery -> delivery.to().equals(endpoint.id()))
        .findFirst()
        .orElseThrow()
        .id();
  }

  @Test
  void onlyTypesOfActiveEndpointsAreHeard() {
    assertThat(it.endpoints.heard(it.partition)).isEmpty();
    Endpoint endpoint = it.endpoint();
    it.endpoint();
    assertThat(it.endpoints.heard(it.partition)).containsExactly(DeliveryType.RECEIPT_WRITTEN);
    it.manage.delete(it.caller, endpoint.id(), it.ids.next());
    assertThat(it.endpoints.heard(it.partition)).containsExactly(DeliveryType.RECEIPT_WRITTEN);
    for (Endpoint other : it.endpoints.all(it.partition)) {
      assertThat(it.manage.suspend(other, "on purpose")).isTrue();
    }
    assertThat(it.endpoints.heard(it.partition)).isEmpty();
  }

  @Test
  void anObjectOverAMegabyteIsSentAsItsIdOnly() {
    it.object.put("blob", "x".repeat(DeliveryBody.LONGEST));
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    it.attempt(endpoint, only().id());
    assertThat(Json.read(it.posted.getFirst()).path("data").toString())
        .isEqualTo("{\"id\":\"rc_1\",\"object\":\"receipt\",\"truncated\":true}");
  }

  @Test
  void aLargeObjectIsSentWhole() {
    String blob = "é😀".repeat(150_000); // about 900 KB, cut anywhere
    it.object.put("blob", blob);
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    it.attempt(endpoint, only().id());
    assertThat(Json.read(it.posted.getFirst()).at("/data/blob").textValue()).isEqualTo(blob);
    assertThat(it.deliveries.find(it.caller, endpoint.id(), only().id()).orElseThrow().data())
        .isEqualTo(Json.write(it.object));
  }

  @Test
  void aDeliveryHasOneAttemptAtATime() {
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    DeliveryId id = only().id();
    it.meanwhile = () -> it.attempt(endpoint, id);
    it.attempt(endpoint, id);
    assertThat(it.posted).hasSize(1);
    it.attempt(endpoint, id);
    assertThat(it.posted).as("of a delivery that has succeeded").hasSize(1);
  }

  @Test
  void aCrashAfterTheRequestLeavesAnInterruptedAttempt() {
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    DeliveryId id = only().id();
    it.meanwhile =
        () -> {
          throw new IllegalStateException("dies");
        };
    assertThatThrownBy(() -> it.attempt(endpoint, id)).hasMessage("dies");
    it.meanwhile = () -> {};
    it.attempt(endpoint, id);
    assertThat(it.posted).as("it may still be under way").hasSize(1);
    it.passes(WebhookTimes.LEASE.plusSeconds(1));
    assertThat(it.sweep()).isEqualTo(1);
    assertThat(it.sweep()).as("it was just sent").isZero();
    it.attempt(endpoint, id);
    assertThat(it.posted).hasSize(2);
    Delivery delivery = it.delivery(endpoint, id);
    assertThat(delivery.status()).isEqualTo(DeliveryStatus.SUCCEEDED);
    assertThat(delivery.attempts()).extracting(Delivery.Attempt::attempt).containsExactly(1, 2);
    assertThat(WebhookFixture.error(delivery, 0)).startsWith("interrupted");
    assertThat(WebhookFixture.error(delivery, 1)).isNull();
  }

  @Test
  void attemptsAreMadeWhenTheirTimeComesAndNoSooner() {
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    DeliveryId id = only().id();
    it.answers(500, 500, 500);
    it.attempt(endpoint, id);
    assertThat(it.timers.running()).hasSize(1);
    it.passes(Duration.ofSeconds(20));
    it.attempt(endpoint, id);
    assertThat(it.posted).hasSize(1);
    assertThat(it.sweep()).isZero();
    assertThat(it.sweep.fired(it.partition, endpoint.id(), id)).isPresent();
    it.passes(Duration.ofSeconds(17));
    assertThat(it.sweep.fired(it.partition, endpoint.id(), id)).isEmpty();
    assertThat(it.sent).hasSize(2);
    assertThat(it.sweep()).as("it was just sent").isZero();
    it.attempt(endpoint, id);
    it.passes(Duration.ofSeconds(145));
    it.attempt(endpoint, id);
    Delivery delivery = it.delivery(endpoint, id);
    assertThat(delivery.status()).isEqualTo(DeliveryStatus.FAILED);
    assertThat(delivery.attempts()).hasSize(3);
    assertThat(it.timers.running()).hasSize(2);
    it.passes(Duration.ofDays(1));
    assertThat(it.sweep()).isZero();
  }

  @Test
  void aDisabledEndpointReceivesNothing() {
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    EndpointChange disable = WebhookFixture.to(EndpointStatus.DISABLED);
    it.manage.change(it.caller, endpoint.id(), disable, it.ids.next());
    it.attempt(endpoint, only().id());
    assertThat(it.posted).isEmpty();
    assertThat(it.delivery(endpoint, only().id()).status()).isEqualTo(DeliveryStatus.FAILED);
  }

  @Test
  void anEndpointIsSuspendedAfterFiveDaysAndTenFailures() {
    Endpoint endpoint = it.endpoint();
    failOnce(endpoint, 0);
    it.passes(WatchDestination.SUSPENDED_AFTER.plusHours(1));
    IntStream.range(1, 9).forEach(count -> failOnce(endpoint, count));
    assertThat(it.read(endpoint).status()).as("nine failures").isEqualTo(EndpointStatus.ACTIVE);
    failOnce(endpoint, 9);
    Endpoint suspended = it.read(endpoint);
    assertThat(suspended.status()).isEqualTo(EndpointStatus.SUSPENDED);
    assertThat(suspended.statusReason()).contains("120 hours");
    int before = it.sent.size();
    it.happens("unheard");
    assertThat(it.sent).hasSize(before);
    EndpointChange enable = WebhookFixture.to(EndpointStatus.ACTIVE);
    it.manage.change(it.caller, endpoint.id(), enable, it.ids.next());
    assertThat(it.read(endpoint).statusReason()).isNull();
    failOnce(endpoint, 10);
    assertThat(it.read(endpoint).status()).isEqualTo(EndpointStatus.ACTIVE);
  }

  @Test
  void aSuccessResetsTheFailureCount() {
    Endpoint endpoint = it.endpoint();
    IntStream.range(0, 9).forEach(count -> failOnce(endpoint, count));
    it.passes(WatchDestination.SUSPENDED_AFTER);
    it.happens("fine");
    it.attempt(endpoint, it.sent.getLast().id());
    assertThat(it.health.of(endpoint.destination()).failingSince()).isNull();
    IntStream.range(9, 30).forEach(count -> failOnce(endpoint, count));
    assertThat(it.read(endpoint).status()).isEqualTo(EndpointStatus.ACTIVE);
  }

  private void failOnce(Endpoint endpoint, int count) {
    it.happens("failing " + count);
    it.answers(410);
    it.attempt(endpoint, it.sent.getLast().id());
  }

  @Test
  void aRepeatedRotationRequestRotatesOnce() {
    Endpoint endpoint = it.endpoint();
    EndpointChange rotate = WebhookFixture.rotation();
    String request = it.ids.next();
    var first = it.manage.change(it.caller, endpoint.id(), rotate, request);
    var again = it.manage.change(it.caller, endpoint.id(), rotate, request);
    assertThat(again).isEqualTo(first);
    var other = it.manage.change(it.caller, endpoint.id(), rotate, it.ids.next());
    assertThat(other).isNotEqualTo(first);
  }

  @Test
  void theProfileIsJitteredAndBounded() {
    RetryProfile profile =
        new RetryProfile(List.of(Duration.ZERO, Duration.ofSeconds(30), Duration.ofHours(6)));
    Random random = new Random(7);
    for (int count = 0; count < 1_000; count++) {
      assertThat(profile.after(1, null, random).orElseThrow())
          .isBetween(Duration.ofSeconds(24), Duration.ofSeconds(36));
      assertThat(profile.after(1, Duration.ofSeconds(1), random).orElseThrow())
          .isBetween(Duration.ofSeconds(24), Duration.ofSeconds(36));
    }
    assertThat(profile.after(1, Duration.ofSeconds(50), random)).hasValue(Duration.ofSeconds(50));
    assertThat(profile.after(1, Duration.ofDays(9), random)).hasValue(Duration.ofSeconds(60));
    assertThat(profile.after(3, null, random)).isEmpty();
  }

  @Test
  void retryAfterCountsOnA503ButNotOnA500() {
    Endpoint endpoint = it.endpoint();
    it.happens("fact");
    it.replies.add(new Reply.Answered(500, Duration.ofSeconds(60)));
    it.attempt(endpoint, only().id());
    it.passes(Duration.ofMinutes(1));
    it.replies.add(new Reply.Answered(503, Duration.ofMinutes(4)));
    it.attempt(endpoint, only().id());
    Instant began = Instant.parse("2026-11-20T12:00:00Z");
    assertThat(it.timers.running().getFirst().due()).isBefore(began.plusSeconds(37));
    assertThat(it.timers.running().getLast().due()).isEqualTo(it.now.plus(Duration.ofMinutes(4)));
  }
}
