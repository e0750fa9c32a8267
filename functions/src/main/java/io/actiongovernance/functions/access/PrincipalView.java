package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.access.Principal;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import org.jspecify.annotations.Nullable;

/** A principal as answers name it (contract, section 9). */
@Doc("Who did it, as the service knows it.")
public record PrincipalView(
    @Field(doc = "What kind of principal it is.") Principal.Type type,
    @Field(
            doc = "Identifier of the key, the person, the agent or the operator.",
            example = "key_01m80m2m0rvz8mtfbjg9wyx3ea")
        String id,
    @Field(doc = "Its name at that time.", example = "console") String name,
    @Field(doc = OnBehalfOfView.DOC, as = OnBehalfOfView.class)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable OnBehalfOfView onBehalfOf) {}
