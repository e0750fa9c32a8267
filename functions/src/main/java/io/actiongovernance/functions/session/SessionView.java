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

/** A session as responses show it. */
@Doc("A browser that is signed in.")
record SessionView(
    @Field(doc = "Identifier of the session; it is not the secret.") SessionId id,
    @Field(doc = "Always `session`.", constant = "session") String object,
    @Field(
            doc = "The principal of the session: a person, or the key whose ticket began it.",
            as = PrincipalView.class,
            example =
                "{\"type\":\"key\",\"id\":\"key_01m80m2kz0f1q3v5x7y9a2c4e6\",\"name\":\"console\"}")
        ObjectNode principal,
    @Field(
            doc =
                "Way in which the session began: by a key's ticket, by a ticket to enrol a"
                    + " person's first passkey, by a passkey, or at the person's issuer.")
        Session.Method method,
    @Field(doc = "True if a person showed who they are.") boolean verified,
    @Field(doc = "The mode that it reaches.") Mode mode,
    @Field(doc = "The only workspace that the caller reaches; null for the whole tenant.")
        @Nullable String workspaceId,
    @Field(doc = "True if it is the session of this request.") boolean current,
    @Field(
            doc = "Time at which the session began: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-20T21:44:07.412Z")
        Instant createdAt,
    @Field(
            doc =
                "Time of the last use, to within a minute: a change, or the opening of a page."
                    + " Requests that an open page makes by itself do not count.",
            example = "2026-11-20T21:44:07.412Z")
        Instant lastUsedAt,
    @Field(doc = "Latest time at which the session ends.", example = "2026-11-21T09:44:07.412Z")
        Instant expiresAt) {
  /**
   * @param own the session that the request carries; null if none
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

  /** The response to ending a session. */
  @Doc("A session that has ended.")
  record EndedSession(
      @Field(doc = "Identifier of the session; null if there was none to end.")
          @Nullable SessionId id,
      @Field(doc = "Always `session`.", constant = "session") String object,
      @Field(doc = "Always true: from now on the session signs nobody in.") boolean deleted) {
    static EndedSession of(@Nullable SessionId id) {
      return new EndedSession(id, "session", true);
    }
  }
}
