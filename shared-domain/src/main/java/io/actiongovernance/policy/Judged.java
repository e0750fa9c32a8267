package io.actiongovernance.policy;

import java.util.List;

/**
 * An action's verdict at proposal. Immutable.
 *
 * @param limitedBy the limits that turned ALLOW into ALERT
 */
public record Judged(Verdict verdict, List<Limit> limitedBy) {
  public Judged {
    limitedBy = List.copyOf(limitedBy);
  }
}
