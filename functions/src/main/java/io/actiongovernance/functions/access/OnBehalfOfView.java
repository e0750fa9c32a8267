package io.actiongovernance.functions.access;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;

/** The person whom an agent acts for, as responses name them (contract for people, section 7). */
@Doc("A person, as their issuer identifies them.")
public record OnBehalfOfView(
    @Field(doc = "The issuer.", example = "https://login.acme.example") String issuer,
    @Field(doc = "The issuer's identifier of the person.", example = "248289761001")
        String subject) {
  static final String DOC =
      "The person for whom an agent acts by an issuer's access token; left out for"
          + " all others.";
}
