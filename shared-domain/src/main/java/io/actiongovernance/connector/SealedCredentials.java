package io.actiongovernance.connector;

import org.jspecify.annotations.Nullable;

/**
 * Credentials as stored. The secret cannot be read without the master key.
 *
 * @param type {@code none}, {@code bearer}, {@code header}, {@code basic} or {@code oauth2}
 * @param hint the end of the secret, to distinguish it from others; null if there is nothing to
 *     distinguish
 * @param sealed null for type {@code none}
 */
public record SealedCredentials(String type, @Nullable String hint, @Nullable String sealed) {}
