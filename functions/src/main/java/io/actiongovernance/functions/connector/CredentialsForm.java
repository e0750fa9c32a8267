package io.actiongovernance.functions.connector;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import org.jspecify.annotations.Nullable;

/** How credentials are sent; {@link io.actiongovernance.connector.Credentials} reads them. */
@Doc("Write-only; kept encrypted.")
record CredentialsForm(
    @Field(
            doc =
                "Which of the other fields it needs: `bearer` token; `header` name and value; `query` name and value; `basic` username and password; `oauth2` client_id, and client_secret unless the client is public; `none` nothing.",
            choices = {"none", "bearer", "header", "query", "basic", "oauth2"})
        String type,
    @Field(doc = "Of `bearer`: sent as `Authorization: Bearer …`.") @Nullable String token,
    @Field(doc = "Of `header` and `query`: the name of the header or query parameter.")
        @Nullable String name,
    @Field(doc = "Of `header` and `query`: the value, secret.") @Nullable String value,
    @Field(doc = "Of `basic`: the user's name.") @Nullable String username,
    @Field(doc = "Of `basic`: the password, secret.") @Nullable String password,
    @Field(doc = "Of `oauth2`: the client as the authorisation server knows it.")
        @Nullable String clientId,
    @Field(doc = "Of `oauth2`: the client's secret; left out by a public client.")
        @Nullable String clientSecret) {}
