package io.actiongovernance.channel;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Secret of a channel, which only its sender may read. It is write-only: it is sealed and never
 * part of a text.
 */
public sealed interface ChannelSecret {
  /** The URL of an incoming webhook. Anyone who has it can post. */
  record Hook(URI url) implements ChannelSecret {
    @Override
    public String toString() {
      return "Hook[…]";
    }
  }

  /** Credentials for a mail server. */
  record Login(String username, String password) implements ChannelSecret {
    @Override
    public String toString() {
      return "Login[…]";
    }
  }

  /** A mail server that asks for no credentials. */
  record None() implements ChannelSecret {}

  default @Nullable Login login() {
    return this instanceof Login login ? login : null;
  }
}
