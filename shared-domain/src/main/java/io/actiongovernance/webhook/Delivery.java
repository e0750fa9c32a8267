package io.actiongovernance.webhook;

import java.time.Duration;

public final class Delivery {
  static final Duration RETENTION = Duration.ofDays(30);
}
