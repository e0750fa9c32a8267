package io.actiongovernance.people;

import java.time.Duration;

/**
 * Lifetimes of sign-ins (contract for people, section 1).
 *
 * @param session maximum lifetime of a session
 * @param idle maximum time without use
 * @param issuer how long after a person's last sign-in at their issuer its statement counts
 * @param policyEditor how long people may not approve after they changed what an approval depends
 *     on, if a policy states no time and asks for passkeys or groups (section 2)
 * @param passkeySettle how long a new passkey cannot decide anything
 */
public record PeopleTimes(
    Duration session,
    Duration idle,
    Duration issuer,
    Duration policyEditor,
    Duration passkeySettle) {}
