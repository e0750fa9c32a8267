package io.actiongovernance.functions.contract;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A filter of lists by time. It is unwrapped: its components are parameters like the list's own.
 */
public record TimeRange(
    @Field(
            doc = "Only items of this time or later, inclusive: RFC 3339 with any offset.",
            example = "2026-11-20T21:44:07.412Z")
        @Nullable Instant since,
    @Field(
            doc = "Only items of before this time, exclusive: RFC 3339 with any offset.",
            example = "2026-11-21T21:44:07.412Z")
        @Nullable Instant until) {}
