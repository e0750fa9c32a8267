package io.actiongovernance.connector;

import org.jspecify.annotations.Nullable;

/**
 * Credentials as they are kept: nobody can read the secret without the master key.
 *
 * @param type {@code none}, {@code bearer}, {@code header}, {@code basic} or {@code oauth2}
 * @param hint the end of the secret, to tell one from another; null when there is nothing to tell
 * @param sealed null for type {@code none}
 */
public record SealedCredentials(String type, @Nullable String hint, @Nullable String sealed) {}
