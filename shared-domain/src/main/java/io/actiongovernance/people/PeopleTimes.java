package io.actiongovernance.people;

import java.time.Duration;

/**
 * How long sign-ins count (contract for people, section 1).
 *
 * @param session how long a session lasts at the most
 * @param idle how long without being used
 * @param issuer how long after somebody's last sign-in at their issuer what it said of them counts
 */
public record PeopleTimes(Duration session, Duration idle, Duration issuer) {}
