/** Passkeys and their signatures, in requests and answers. */
@NullMarked
package io.actiongovernance.functions.passkey;

import org.jspecify.annotations.NullMarked;
