/** People: who they are, what they may do and where, and their passkeys. */
@NullMarked
package io.actiongovernance.people;

import org.jspecify.annotations.NullMarked;
