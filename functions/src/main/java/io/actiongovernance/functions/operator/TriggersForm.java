package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.operator.Triggers;
import io.actiongovernance.policy.Glob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What sets an operator to work as it is sent; {@link Triggers} reads it. */
@Doc(value = "What an operator proposes for.", asSent = true)
record TriggersForm(
    @Field(
            doc =
                "The events that it proposes for: exact types, or globs in which `*` is one"
                    + " dot-delimited segment. Empty, with sources: all that they send.",
            max = Triggers.MOST,
            published = Glob.PUBLISHED,
            eachMax = Glob.MAX_LENGTH,
            example = "[\"order.*\"]")
        @Nullable List<String> eventTypes,
    @Field(
            doc = "The systems whose events it proposes for; empty for any.",
            max = Triggers.MOST,
            eachMax = Triggers.LONGEST_SOURCE)
        @Nullable List<String> sources,
    @Field(
            doc =
                "When it proposes without an event: `rate(…)` or `cron(…)`, as EventBridge"
                    + " Scheduler takes them; null for never.",
            example = "rate(15 minutes)")
        @Nullable String schedule) {}
