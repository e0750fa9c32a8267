package io.actiongovernance.infra;

import java.util.Locale;

/**
 * A quota of AWS that an account has to have raised before an environment carries what it is for.
 *
 * @param service whose it is, as people call it
 * @param name as the service's own documents have it
 * @param value the least that is needed
 * @param why what takes so much, without a full stop
 */
public record Quota(String service, String name, long value, String why) {
  /** One line for whoever deploys. */
  String line() {
    return String.format(
        Locale.ROOT, "Quota to raise: %s, %s, to %,d: %s.", service, name, value, why);
  }
}
