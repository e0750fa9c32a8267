package io.actiongovernance.key;

import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tenant.
 *
 * @param resellerId its reseller, or null
 */
public record Tenant(
    TenantId id,
    String name,
    @Nullable String resellerId,
    TenantLimits limits,
    Instant createdAt) {}
