package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.access.Principal;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import org.jspecify.annotations.Nullable;

/** A principal as responses name it (contract, section 9). */
@Doc("A principal, as the service knows it.")
public record PrincipalView(
    @Field(doc = "Kind of principal.") Principal.Type type,
    @Field(
            doc = "Identifier of the key, the person, the agent or the operator.",
            example = "key_01m80m2m0rvz8mtfbjg9wyx3ea")
        String id,
    @Field(doc = "Name of the principal at that time.", example = "console") String name,
    @Field(doc = OnBehalfOfView.DOC, as = OnBehalfOfView.class)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable OnBehalfOfView onBehalfOf) {}
