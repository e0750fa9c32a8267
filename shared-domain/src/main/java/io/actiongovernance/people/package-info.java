/**
 * People: their identity, their rights, the workspaces in which they have them, and their passkeys.
 */
@NullMarked
package io.actiongovernance.people;

import org.jspecify.annotations.NullMarked;
