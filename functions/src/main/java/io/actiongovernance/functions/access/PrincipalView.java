package io.actiongovernance.functions.access;

import io.actiongovernance.access.Principal;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;

/** A principal as answers name it (contract, section 9). */
@Doc("Who did it, as the service knows it.")
public record PrincipalView(
    @Field(doc = "What kind of principal it is.") Principal.Type type,
    @Field(
            doc = "Identifier of the key, the person or the operator.",
            example = "key_01m80m2m0rvz8mtfbjg9wyx3ea")
        String id,
    @Field(doc = "Its name at that time.", example = "console") String name) {}
