package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.operator.Triggers;
import io.actiongovernance.policy.Glob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events and schedule that an operator proposes for, as requests send them; {@link Triggers} reads
 * them.
 */
@Doc(value = "The events and the schedule that an operator proposes for.", asSent = true)
record TriggersForm(
    @Field(
            doc =
                "Event types that it proposes for: exact, or globs in which `*` is one"
                    + " dot-delimited segment. If empty, and there are sources, all events of those"
                    + " sources.",
            max = Triggers.MOST,
            published = Glob.PUBLISHED,
            eachMax = Glob.MAX_LENGTH,
            example = "[\"order.*\"]")
        @Nullable List<String> eventTypes,
    @Field(
            doc = "Source systems whose events it proposes for; empty for any.",
            max = Triggers.MOST,
            eachMax = Triggers.LONGEST_SOURCE)
        @Nullable List<String> sources,
    @Field(
            doc =
                "Schedule on which it proposes without an event: `rate(…)` or `cron(…)`, as"
                    + " EventBridge Scheduler takes them; null for none.",
            example = "rate(15 minutes)")
        @Nullable String schedule) {}
