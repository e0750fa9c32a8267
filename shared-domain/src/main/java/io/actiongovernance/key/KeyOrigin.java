package io.actiongovernance.key;

import io.actiongovernance.access.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The people behind a key.
 *
 * @param owner the person behind it, or null
 * @param createdBy its creator; null for a tenant's first keys
 */
public record KeyOrigin(@Nullable String owner, @Nullable Principal createdBy) {}
