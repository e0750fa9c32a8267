package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorStatus.CONNECTED;
import static io.actiongovernance.connector.ConnectorStatus.DEGRADED;
import static io.actiongovernance.connector.ConnectorStatus.ERROR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How calls change a connector's status: contract, section 5. */
class ConnectorHealthSpec {
  private final ConnectorFixture it = new ConnectorFixture();
  private final Connector box = it.installed("{'listing_id':'cn-sandbox','name':'box'}");

  @Test
  void threeFailuresInARowDegradeAndTwoSuccessesBringBack() {
    fail(2);
    assertThat(status()).isEqualTo(CONNECTED);
    fail(1);
    assertThat(status()).isEqualTo(DEGRADED);
    assertThat(it.again(box).statusReason()).isEqualTo("down");
    succeed(1);
    assertThat(status()).isEqualTo(DEGRADED);
    succeed(1);
    assertThat(status()).isEqualTo(CONNECTED);
    assertThat(it.again(box).statusReason()).isNull();
  }

  @Test
  void aSuccessResetsTheCountOfFailuresInARow() {
    fail(2);
    succeed(1);
    fail(2);
    assertThat(status()).isEqualTo(CONNECTED);
  }

  @Test
  void tenFailuresInARowAreAnErrorThatSuccessesDoNotEnd() {
    fail(9);
    assertThat(status()).isEqualTo(DEGRADED);
    fail(1);
    assertThat(status()).isEqualTo(ERROR);
    succeed(5);
    assertThat(status()).isEqualTo(ERROR);
    it.installations.test(it.caller(null), box.id(), null, it.ids.next());
    assertThat(status()).isEqualTo(CONNECTED);
    fail(2);
    assertThat(status()).isEqualTo(CONNECTED);
  }

  @Test
  void rejectedCredentialsAreAnErrorAtOnce() {
    it.health.rejected(box, "upstream answered 401");
    assertThat(status()).isEqualTo(ERROR);
  }

  @Test
  void noFailureIsLostWhenManyComeAtOnce() throws InterruptedException {
    List<Callable<Void>> calls =
        IntStream.range(0, ConnectorHealth.ERROR_AFTER)
            .<Callable<Void>>mapToObj(
                at ->
                    () -> {
                      it.health.failed(box, "down");
                      return null;
                    })
            .toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.invokeAll(calls);
    }
    assertThat(status()).isEqualTo(ERROR);
  }

  @Test
  void callsOfADeletedConnectorRestoreNothing() {
    it.installations.uninstall(it.caller(null), box.id(), it.ids.next());
    for (int at = 0; at < 12; at++) {
      it.health.failed(box, "down");
    }
    assertThat(it.connectors.find(it.partition, box.id())).isEmpty();
  }

  private ConnectorStatus status() {
    return it.again(box).status();
  }

  private void fail(int times) {
    for (int at = 0; at < times; at++) {
      it.health.failed(it.again(box), "down");
    }
  }

  private void succeed(int times) {
    for (int at = 0; at < times; at++) {
      it.health.answered(it.again(box));
    }
  }
}
