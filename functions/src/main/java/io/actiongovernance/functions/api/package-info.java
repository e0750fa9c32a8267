/** The contract's errors and revisions, and the status and code of each refusal. */
@NullMarked
package io.actiongovernance.functions.api;

import org.jspecify.annotations.NullMarked;
