package io.actiongovernance.functions.connector;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import org.jspecify.annotations.Nullable;

/**
 * The form in which requests send credentials; {@link io.actiongovernance.connector.Credentials}
 * reads them.
 */
@Doc("Credentials for the source system. Write-only; kept encrypted.")
record CredentialsForm(
    @Field(
            doc =
                "Type of the credentials; it decides which other fields are needed. `bearer`"
                    + " needs token. `header` and `query` need name and value. `basic` needs username"
                    + " and password. `oauth2` needs client_id, and client_secret unless the client"
                    + " is public. `none` needs nothing.",
            choices = {"none", "bearer", "header", "query", "basic", "oauth2"})
        String type,
    @Field(doc = "For `bearer`, the token, sent as `Authorization: Bearer …`.")
        @Nullable String token,
    @Field(doc = "For `header` and `query`, the name of the header or query parameter.")
        @Nullable String name,
    @Field(doc = "For `header` and `query`, the value; secret.") @Nullable String value,
    @Field(doc = "For `basic`, the user name.") @Nullable String username,
    @Field(doc = "For `basic`, the password; secret.") @Nullable String password,
    @Field(doc = "For `oauth2`, the client as the authorisation server knows it.")
        @Nullable String clientId,
    @Field(doc = "For `oauth2`, the client's secret; left out by a public client.")
        @Nullable String clientSecret) {}
