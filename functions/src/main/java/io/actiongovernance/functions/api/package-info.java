/** The contract's errors and revisions, and which status and code a refusal is answered with. */
@NullMarked
package io.actiongovernance.functions.api;

import org.jspecify.annotations.NullMarked;
