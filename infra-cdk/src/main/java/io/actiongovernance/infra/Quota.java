package io.actiongovernance.infra;

import java.util.Locale;

/**
 * An AWS quota that an account must have raised before an environment can carry its load.
 *
 * @param service the service's common name
 * @param name as in the service's own documentation
 * @param value the least value needed
 * @param why the reason for the need, without a full stop
 */
public record Quota(String service, String name, long value, String why) {
  /** A line for the deployer. */
  String line() {
    return String.format(
        Locale.ROOT, "Quota to raise: %s, %s, to %,d: %s.", service, name, value, why);
  }
}
