package io.actiongovernance.identity;

import java.time.Instant;

/**
 * An issuer as it was last fetched.
 *
 * @param keys its signing keys, as a JSON Web Key Set (RFC 7517)
 */
record Issuer(IssuerMetadata metadata, String keys, Instant fetchedAt) {}
