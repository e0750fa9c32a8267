package io.actiongovernance.identity;

import java.time.Instant;

/**
 * An issuer as it was when it was last asked.
 *
 * @param keys what it signs with, as a JSON Web Key Set (RFC 7517)
 */
record Issuer(IssuerMetadata metadata, String keys, Instant fetchedAt) {}
