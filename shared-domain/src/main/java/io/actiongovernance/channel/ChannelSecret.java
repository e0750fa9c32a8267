package io.actiongovernance.channel;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What only whoever tells a channel may know. Write-only: kept sealed, and never part of a text.
 */
public sealed interface ChannelSecret {
  /** The URL of an incoming webhook: who has it can post. */
  record Hook(URI url) implements ChannelSecret {
    @Override
    public String toString() {
      return "Hook[…]";
    }
  }

  /** Whom a mail server knows. */
  record Login(String username, String password) implements ChannelSecret {
    @Override
    public String toString() {
      return "Login[…]";
    }
  }

  /** That a mail server asks for nobody. */
  record None() implements ChannelSecret {}

  /** The login, or null where there is none. */
  default @Nullable Login login() {
    return this instanceof Login login ? login : null;
  }
}
