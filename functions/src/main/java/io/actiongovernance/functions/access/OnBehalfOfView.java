package io.actiongovernance.functions.access;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;

/** Whom an agent acts for, as answers name them (contract for people, section 7). */
@Doc("Somebody, as their issuer knows them.")
public record OnBehalfOfView(
    @Field(doc = "The issuer.", example = "https://login.acme.example") String issuer,
    @Field(doc = "Who it is to the issuer.", example = "248289761001") String subject) {
  static final String DOC =
      "Whom an agent acts for by an access token of an issuer; left out of all others.";
}
