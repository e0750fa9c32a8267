/** Verification of passkeys by the rules of WebAuthn. */
@NullMarked
package io.actiongovernance.functions.webauthn;

import org.jspecify.annotations.NullMarked;
