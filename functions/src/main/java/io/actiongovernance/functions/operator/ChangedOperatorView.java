package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operator as a request left it that may have brought guardrails. */
@Doc("The operator as it now is, and what the author of its guardrails is warned of.")
record ChangedOperatorView(
    @JsonUnwrapped OperatorView operatorView,
    @Field(
            doc =
                OperatorTexts.MATCHES_NO_TOOL
                    + " Left out if there are none, or the request has no guardrails.",
            example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<String> matchesNoTool) {}
