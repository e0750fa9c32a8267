package io.actiongovernance.people;

import java.time.Duration;

/**
 * How long sign-ins count (contract for people, section 1).
 *
 * @param session how long a session lasts at the most
 * @param idle how long without being used
 * @param issuer how long after somebody's last sign-in at their issuer what it said of them counts
 * @param policyEditor for how long nobody approves who changed what an approval rests on, where a
 *     policy says none and asks for passkeys or groups (section 2)
 * @param passkeySettle how long a new passkey decides nothing
 */
public record PeopleTimes(
    Duration session,
    Duration idle,
    Duration issuer,
    Duration policyEditor,
    Duration passkeySettle) {}
