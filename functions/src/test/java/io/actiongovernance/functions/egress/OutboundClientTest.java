package io.actiongovernance.functions.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.upstream.Upstream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What names lead to, and how long anything may take (contract, section 8, Egress). */
final class OutboundClientTest {
  private static final Duration SHORT = Duration.ofMillis(500);

  private static OutboundClient client(OutboundClient.Lookup lookup, String... allowed) {
    return new OutboundClient(new EgressGuard(List.of(allowed)), TrustedRoots.tls(null), lookup);
  }

  private static Exchange post(OutboundClient client, String url, Duration within) {
    return client.exchange(new Outbound("POST", URI.create(url), Map.of(), "{}"), within);
  }

  private static InetAddress[] addresses(String... texts) throws UnknownHostException {
    InetAddress[] addresses = new InetAddress[texts.length];
    for (int at = 0; at < texts.length; at++) {
      addresses[at] = InetAddress.getByName(texts[at]);
    }
    return addresses;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1"})
  void aNameOfAnInnerAddressIsNotConnectedTo(String address) {
    try (OutboundClient client = client(host -> addresses("1.1.1.1", address))) {
      assertThat(post(client, "https://inner.example/", SHORT))
          .isEqualTo(new Exchange.Forbidden("The address of inner.example may not be reached."));
    }
  }

  @Test
  void aNameIsLookedUpAndJudgedForEachRequest() {
    try (Upstream upstream = new Upstream().then(Upstream.answer(200, "{}"))) {
      Deque<String> answers = new ArrayDeque<>(List.of("127.0.0.1", "127.0.0.2", "127.0.0.1"));
      try (OutboundClient client = client(host -> addresses(answers.remove()), "127.0.0.1/32")) {
        String url = upstream.url().replace("127.0.0.1", "turncoat.example");
        Duration within = Duration.ofSeconds(10);
        assertThat(post(client, url, within)).isInstanceOf(Exchange.Answered.class);
        assertThat(post(client, url, within)).isInstanceOf(Exchange.Forbidden.class);
        assertThat(post(client, url, within)).isInstanceOf(Exchange.Answered.class);
        assertThat(answers).isEmpty();
        assertThat(upstream.seen).hasSize(2);
      }
    }
  }

  @Test
  void theDeadlineIncludesTheNameLookup() {
    CountDownLatch over = new CountDownLatch(1);
    OutboundClient.Lookup slow =
        host -> {
          try {
            over.await(20, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new UnknownHostException(host);
        };
    try (OutboundClient client = client(slow)) {
      long began = System.nanoTime();
      assertThat(post(client, "https://slow.example/", SHORT))
          .isEqualTo(new Exchange.NotSent("it did not answer in time"));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    } finally {
      over.countDown();
    }
  }

  @Test
  void theDeadlineIncludesTheHandshake() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
        OutboundClient client = client(InetAddress::getAllByName, "127.0.0.1/32")) {
      long began = System.nanoTime();
      assertThat(post(client, "https://127.0.0.1:" + mute.getLocalPort() + "/", SHORT))
          .isEqualTo(new Exchange.NotSent("it did not answer in time"));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
  }
}
