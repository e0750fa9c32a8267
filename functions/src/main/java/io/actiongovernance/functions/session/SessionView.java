package io.actiongovernance.functions.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.session.Session;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A session as the API answers it. */
@Doc("A browser that is signed in.")
record SessionView(
    @Field(doc = "Identifier of the session; it is not the secret.") SessionId id,
    @Field(doc = "Always `session`.", constant = "session") String object,
    @Field(
            doc = "Whom it calls as: a person, or the key whose ticket began it.",
            as = PrincipalView.class,
            example =
                "{\"type\":\"key\",\"id\":\"key_01m80m2kz0f1q3v5x7y9a2c4e6\",\"name\":\"console\"}")
        ObjectNode principal,
    @Field(
            doc =
                "How it was begun: by a ticket of a key, by one with which a person enrols their"
                    + " first passkey, by a passkey, or at the person's issuer.")
        Session.Method method,
    @Field(doc = "Whether a person showed who they are.") boolean verified,
    @Field(doc = "The mode that it reaches.") Mode mode,
    @Field(doc = "The only workspace that it reaches; null for the whole tenant.")
        @Nullable String workspaceId,
    @Field(doc = "Whether it is the one that asks.") boolean current,
    @Field(
            doc = "When it began: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-20T21:44:07.412Z")
        Instant createdAt,
    @Field(
            doc =
                "When something was last done by it, to within a minute: a change, or a page that"
                    + " was opened. A page that is left open and asks by itself is no use.",
            example = "2026-11-20T21:44:07.412Z")
        Instant lastUsedAt,
    @Field(doc = "When it ends at the latest.", example = "2026-11-21T09:44:07.412Z")
        Instant expiresAt) {
  /**
   * @param own the session that asks, or null
   */
  static SessionView of(Session session, @Nullable SessionId own) {
    return new SessionView(
        session.id(),
        "session",
        session.holder().wire(),
        session.method(),
        session.method().verified(),
        session.partition().mode(),
        session.workspaceId(),
        session.id().equals(own),
        session.createdAt(),
        session.lastUsedAt(),
        session.expiresAt());
  }

  /** What ending one answers. */
  @Doc("A session that has ended.")
  record EndedSession(
      @Field(doc = "Identifier of the session; null where there was none to end.")
          @Nullable SessionId id,
      @Field(doc = "Always `session`.", constant = "session") String object,
      @Field(doc = "Always true: whoever shows it from now on is not signed in.") boolean deleted) {
    static EndedSession of(@Nullable SessionId id) {
      return new EndedSession(id, "session", true);
    }
  }
}
