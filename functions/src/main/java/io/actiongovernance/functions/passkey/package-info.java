/** What passkeys sign, as requests have it. */
@NullMarked
package io.actiongovernance.functions.passkey;

import org.jspecify.annotations.NullMarked;
